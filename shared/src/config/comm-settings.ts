/** The communication service: phone calls and what they carry. */
import { voicemailAnswers } from "../calls/voicemail.ts";
import { calledNumberList } from "./called-numbers.ts";
import { destinationList, destinationTarget } from "./destinations.ts";
import {
  connectionString,
  exactHttpUrl,
  guid,
  httpUrl,
  milliseconds,
  oneOf,
  phoneNumber,
  seconds,
  secrets,
  text,
} from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

/** The modes of a phone call; browsers can use `REALTIME` for the speech pipeline as well. */
export const commStreamingModes = ["MEDIA", "TRANSCRIPTION", "VOICE_LIVE"] as const;

export const commSettings = {
  streamingMode: defaulted(
    "COMM_STREAMING_MODE",
    oneOf(commStreamingModes),
    "MEDIA",
    "MEDIA: speech pipeline at 16 kHz. TRANSCRIPTION: text only, 16 kHz. VOICE_LIVE: realtime model at 24 kHz.",
  ),
  commEndpoint: optional("COMM_ENDPOINT", httpUrl, "Endpoint of the communication service, with Entra authentication."),
  commConnectionString: secret(
    "COMM_CONNECTION_STRING",
    connectionString(["endpoint", "accesskey"]),
    "Connection string of the communication service, in place of COMM_ENDPOINT.",
  ),
  commPhoneNumber: optional(
    "COMM_PHONE_NUMBER",
    phoneNumber,
    "The service's own number; the caller id of outbound calls.",
  ),
  commResourceId: optional(
    "COMM_RESOURCE_ID",
    guid,
    "Immutable resource id of the communication service; the audience of its callbacks' tokens.",
  ),
  commJwtIssuer: defaulted(
    "COMM_JWT_ISSUER",
    httpUrl,
    "https://acscallautomation.communication.azure.com",
    "Issuer of the tokens on callbacks and media sockets.",
  ),
  commJwksUrl: defaulted(
    "COMM_JWKS_URL",
    exactHttpUrl,
    "https://acscallautomation.communication.azure.com/calling/keys",
    "Where that issuer's keys are.",
  ),
  commWebhookSecrets: secret(
    "COMM_WEBHOOK_SECRET",
    secrets,
    "Secret in the query (`?secret=`, or the header `x-webhook-secret`) of the event subscription's URL, where it does not use Entra, and of the callbacks that are asked for. Of two, separated by a comma, both are accepted and the first is sent: put the new one last until all processes have read it, then first until nothing uses the old one.",
  ),
  commCallTimeoutMs: defaulted(
    "COMM_CALL_TIMEOUT",
    seconds(5, 300),
    "60",
    "How long an outbound call may ring before it counts as not answered.",
  ),
  commRequestTimeoutMs: defaulted(
    "COMM_REQUEST_TIMEOUT",
    seconds(1, 60),
    "8",
    "How long a request to the communication service may take, all its attempts together.",
  ),
  commMaxCallMs: defaulted(
    "COMM_MAX_CALL_DURATION",
    seconds(10, 86_400),
    "3600",
    "How long a call may last before it is ended.",
  ),
  commDestinations: defaulted(
    "COMM_DESTINATIONS",
    destinationList,
    "",
    "Where agents may send a call, as `name=target` pairs: phone numbers, SIP addresses or ids; `person` takes escalations.",
  ),
  commPlayoutBufferMs: defaulted(
    "COMM_PLAYOUT_BUFFER_MS",
    milliseconds(0, 2000),
    "200",
    "How long after our audio has reached the communication service it is heard: its jitter buffer and the way to the telephone. No acknowledgement tells; what is still on its way when the caller interrupts counts as not heard. 200 is an estimate; `npm run line-delay` tells what a real line takes.",
  ),
  commHoldAudio: optional(
    "COMM_HOLD_AUDIO",
    exactHttpUrl,
    "URL of a WAV file that callers hear on hold. If not set: the communication service's own music.",
  ),
  commCognitiveEndpoint: optional(
    "COMM_COGNITIVE_ENDPOINT",
    httpUrl,
    "The AI resource with which the communication service transcribes calls by itself. With it, calls in TRANSCRIPTION mode bring their words and not their audio.",
  ),
  commVoicemail: defaulted(
    "COMM_VOICEMAIL",
    oneOf(voicemailAnswers),
    "ignore",
    "What to do when an answering machine takes an outbound call. ignore: it is only noted in the call's log. hang-up: at once. message: COMM_VOICEMAIL_MESSAGE after the beep.",
  ),
  commVoicemailMessage: optional(
    "COMM_VOICEMAIL_MESSAGE",
    text,
    "What is left on an answering machine; a template that knows `context`, `memory` and the scenario's variables. If not set: a message in the language of the agent.",
  ),
  commWhenSilent: defaulted(
    "COMM_WHEN_SILENT",
    oneOf(["end", "person"]),
    "end",
    "What happens to a connected call whose audio stream cannot be restored. end: it is hung up. person: it is transferred to the destination `person`, and hung up if nobody answers there.",
  ),
  commSilentMessage: optional(
    "COMM_SILENT_MESSAGE",
    text,
    "What the communication service says to a connected call whose audio stream cannot be restored, before it is hung up. If not set: a sentence in the language of STT_LANGUAGE.",
  ),
  commWhenFull: defaulted(
    "COMM_WHEN_FULL",
    oneOf(["ring", "redirect", "message"]),
    "ring",
    "What happens to an inbound call while all places are taken. ring: it rings until a place is free, and is rejected as busy if none becomes free in time. redirect: it is sent to COMM_WHEN_FULL_TARGET. message: it is answered, hears COMM_FULL_MESSAGE and is hung up.",
  ),
  commWhenFullTarget: optional(
    "COMM_WHEN_FULL_TARGET",
    destinationTarget,
    "Where calls are sent while all places are taken: a phone number, a SIP address or an id of the service; or a name from COMM_DESTINATIONS.",
  ),
  commFullMessage: optional(
    "COMM_FULL_MESSAGE",
    text,
    "What the communication service says to an inbound call while all places are taken, if COMM_WHEN_FULL is message. If not set: a sentence in the language of STT_LANGUAGE.",
  ),
  commTransfers: defaulted(
    "COMM_TRANSFERS",
    oneOf(["blind", "warm"]),
    "blind",
    "How agents hand a call to somebody. blind: the call is sent there, and the agent is out of it. warm: the caller hears music until somebody has answered and has been told who is calling and why; then the agent leaves the two alone. Where the communication service cannot do that, the transfer is blind.",
  ),
  commScenarios: defaulted(
    "COMM_SCENARIOS",
    calledNumberList,
    "",
    "What an inbound call is about, by the number that was called: `+12025550100=insurance`, or with the agent that takes it, `+12025550100=insurance/claims-intake`. A line without a phone number is named by its raw id, `28:orgid:…=insurance`. Other lines get AGENT_SCENARIO.",
  ),
};
