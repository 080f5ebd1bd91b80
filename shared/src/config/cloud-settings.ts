/** Identity and the cloud's services: language model, realtime model, speech, configuration, relay, documents, storage. */
import { reasoningEfforts, verbosities } from "../catalog/agent.ts";
import { cloudEnvironments } from "./cloud-environment.ts";
import { connectionString, flag, guid, headerList, httpUrl, integer, oneOf, region, seconds, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

const storageAccess = connectionString(
  ["AccountName", "AccountKey"],
  ["BlobEndpoint", "SharedAccessSignature"],
  ["UseDevelopmentStorage"],
);

export const cloudSettings = {
  cloudEnvironment: defaulted(
    "CLOUD_ENVIRONMENT",
    oneOf(cloudEnvironments),
    "public",
    "Which of Azure's clouds: it decides where tokens are issued, and for which audience.",
  ),
  cloudClientId: optional("CLOUD_CLIENT_ID", guid, "Client id of the service principal, or of the managed identity."),
  cloudClientSecret: secret("CLOUD_CLIENT_SECRET", text, "Secret of the service principal."),
  openaiEndpoint: optional("CLOUD_OPENAI_ENDPOINT", httpUrl, "Endpoint of the language model."),
  openaiDeployment: optional("CLOUD_OPENAI_DEPLOYMENT", text, "Deployment of agents that do not name one."),
  openaiKey: secret("CLOUD_OPENAI_KEY", text, "Key of the language model. If not set, Entra is used."),
  openaiKeyHeader: optional(
    "CLOUD_OPENAI_KEY_HEADER",
    text,
    "Header in which a gateway expects the key, for instance `Ocp-Apim-Subscription-Key`. If not set: `api-key`. `Authorization` is always sent as well.",
  ),
  openaiHeaders: secret(
    "CLOUD_OPENAI_HEADERS",
    headerList,
    "Headers that a gateway asks for, as `name=value` pairs with commas between them.",
  ),
  openaiFirstTokenTimeoutMs: defaulted(
    "CLOUD_OPENAI_FIRST_TOKEN_TIMEOUT",
    seconds(0.5, 120),
    "8",
    "How long the language model may take for its first word, per attempt; at most 4 where another endpoint can answer.",
  ),
  openaiStallTimeoutMs: defaulted(
    "CLOUD_OPENAI_STALL_TIMEOUT",
    seconds(0.5, 120),
    "8",
    "How long it may stop in the middle of an answer.",
  ),
  openaiReasoningEffort: optional(
    "CLOUD_OPENAI_REASONING_EFFORT",
    oneOf(reasoningEfforts),
    "Reasoning effort of models that reason, for agents that do not set one. If not set: `low` for deployments named like such a model (`gpt-5…`, `o3`), `none` from `gpt-5.4…` on, which accept tools only without reasoning, `none` for all at a server of OPENAI_BASE_URL that is not OpenAI, and no effort is sent to others.",
  ),
  openaiVerbosity: optional(
    "CLOUD_OPENAI_VERBOSITY",
    oneOf(verbosities),
    "How much models write, where an agent does not say it and the model knows it.",
  ),
  openaiReasoningTokens: defaulted(
    "CLOUD_OPENAI_REASONING_TOKENS",
    integer(0, 100_000),
    "2000",
    "Tokens that a model which reasons may think with, on top of an agent's `max_tokens`.",
  ),
  openaiContextTokens: optional(
    "CLOUD_OPENAI_CONTEXT_TOKENS",
    integer(1_000, 10_000_000),
    "How many tokens the language model reads and writes together, for one that reads little (4k or 8k of a local model). Prompt, tools, history and answer are kept within it. If not set, it is learnt when the model's server refuses a request as too large.",
  ),
  openaiFallbackEndpoint: optional(
    "CLOUD_OPENAI_FALLBACK_ENDPOINT",
    httpUrl,
    "Endpoint that answers when the language model fails before its first word. If not set: CLOUD_OPENAI_ENDPOINT.",
  ),
  openaiFallbackDeployment: optional(
    "CLOUD_OPENAI_FALLBACK_DEPLOYMENT",
    text,
    "Deployment that answers then. If not set: CLOUD_OPENAI_DEPLOYMENT.",
  ),
  openaiFallbackKey: secret("CLOUD_OPENAI_FALLBACK_KEY", text, "Key of that endpoint. If not set, Entra is used."),
  searchEndpoint: optional(
    "CLOUD_SEARCH_ENDPOINT",
    httpUrl,
    "Endpoint of Azure AI Search, for agents whose `knowledge` is an index there (`knowledge/<name>.yaml` of a catalog).",
  ),
  searchKey: secret("CLOUD_SEARCH_KEY", text, "Query key of that service. If not set, Entra is used."),
  speechRegion: optional("CLOUD_SPEECH_REGION", region, "Region of the speech service."),
  speechEndpoint: optional("CLOUD_SPEECH_ENDPOINT", httpUrl, "Endpoint of the speech service, in place of its region."),
  speechKey: secret("CLOUD_SPEECH_KEY", text, "Key of the speech service."),
  speechResourceId: optional(
    "CLOUD_SPEECH_RESOURCE_ID",
    text,
    "Resource id of the speech service, for Entra in place of the key.",
  ),
  voiceLiveEndpoint: optional("CLOUD_VOICELIVE_ENDPOINT", httpUrl, "Endpoint of the realtime model."),
  voiceLiveModel: optional("CLOUD_VOICELIVE_MODEL", text, "The realtime model."),
  voiceLiveTranscriptionModel: optional(
    "CLOUD_VOICELIVE_TRANSCRIPTION_MODEL",
    text,
    "What Voice Live transcribes callers with. If not set: `azure-speech`, and one that OpenAI's models are documented with where a model refuses that.",
  ),
  voiceLiveKey: secret("CLOUD_VOICELIVE_KEY", text, "Key of the realtime model. If not set, Entra is used."),
  voiceLiveOpenTimeoutMs: defaulted(
    "CLOUD_VOICELIVE_OPEN_TIMEOUT",
    seconds(0.5, 60),
    "5",
    "How long the realtime model may take to accept a session, per attempt.",
  ),
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
    connectionString(["Endpoint", "AccessKey"]),
    "Connection string of the Web PubSub service, in place of its endpoint.",
  ),
  docstoreEndpoint: optional(
    "CLOUD_DOCSTORE_ENDPOINT",
    httpUrl,
    "Document store (Azure Cosmos DB for NoSQL) in which ended conversations are kept. If not set, they are deleted a day after their end.",
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
    storageAccess,
    "Connection string of the storage account for recordings, in place of its endpoint.",
  ),
};
