/** Identity and the cloud's services: language model, realtime model, speech, configuration, relay, documents, storage. */
import { flag, guid, httpUrl, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const cloudSettings = {
  cloudClientId: optional("CLOUD_CLIENT_ID", guid, "Client id of the service principal, or of the managed identity."),
  cloudClientSecret: secret("CLOUD_CLIENT_SECRET", text, "Secret of the service principal."),
  openaiEndpoint: optional("CLOUD_OPENAI_ENDPOINT", httpUrl, "Endpoint of the language model."),
  openaiDeployment: optional("CLOUD_OPENAI_DEPLOYMENT", text, "Deployment of agents that do not name one."),
  openaiKey: secret("CLOUD_OPENAI_KEY", text, "Key of the language model; Entra without it."),
  speechRegion: optional("CLOUD_SPEECH_REGION", text, "Region of the speech service."),
  speechEndpoint: optional("CLOUD_SPEECH_ENDPOINT", httpUrl, "Endpoint of the speech service, in place of its region."),
  speechKey: secret("CLOUD_SPEECH_KEY", text, "Key of the speech service."),
  speechResourceId: optional(
    "CLOUD_SPEECH_RESOURCE_ID",
    text,
    "Resource id of the speech service, for Entra in place of the key.",
  ),
  voiceLiveEndpoint: optional("CLOUD_VOICELIVE_ENDPOINT", httpUrl, "Endpoint of the realtime model."),
  voiceLiveModel: optional("CLOUD_VOICELIVE_MODEL", text, "The realtime model."),
  voiceLiveKey: secret("CLOUD_VOICELIVE_KEY", text, "Key of the realtime model; Entra without it."),
  voiceLiveFallback: defaulted(
    "CLOUD_VOICELIVE_FALLBACK",
    flag,
    "true",
    "Whether conversations go on with speech recognition, language model and synthesis when the realtime model is gone.",
  ),
  appConfigEndpoint: optional(
    "CLOUD_APPCONFIG_ENDPOINT",
    httpUrl,
    "App Configuration store whose values overlay the environment.",
  ),
  appConfigLabel: optional(
    "CLOUD_APPCONFIG_LABEL",
    text,
    "Label of the values to take from it; those without one by default.",
  ),
  webPubSubEndpoint: optional(
    "CLOUD_WEBPUBSUB_ENDPOINT",
    httpUrl,
    "Web PubSub service that live updates also go to, with Entra authentication.",
  ),
  webPubSubConnectionString: secret(
    "CLOUD_WEBPUBSUB_CONNECTION_STRING",
    text,
    "Connection string of the Web PubSub service, in place of its endpoint.",
  ),
  docstoreEndpoint: optional(
    "CLOUD_DOCSTORE_ENDPOINT",
    httpUrl,
    "Document store (Azure Cosmos DB for NoSQL) that ended conversations are kept in; they end after a day without it.",
  ),
  docstoreDatabase: optional(
    "CLOUD_DOCSTORE_DATABASE",
    text,
    "Its database; the conversations are in the container `conversations`, partitioned by `/session_id`.",
  ),
  storageEndpoint: optional(
    "CLOUD_STORAGE_ENDPOINT",
    httpUrl,
    "Blob endpoint of the storage account for recordings, with Entra authentication.",
  ),
  storageConnectionString: secret(
    "CLOUD_STORAGE_CONNECTION_STRING",
    text,
    "Connection string of the storage account for recordings, in place of its endpoint.",
  ),
};
