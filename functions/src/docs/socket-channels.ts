/** The WebSocket paths, and the messages of each. */

export interface SocketChannel {
  readonly name: string;
  readonly path: string;
  /** Published without the API's prefix. */
  readonly outsideApi?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Names in the document's messages. */
  readonly clientSends: readonly string[];
  readonly serverSends: readonly string[];
}

const ticket = { ticket: "From POST /realtime/token, with the purpose `converse`, where authentication is on." };
const watchTicket = { ticket: "From POST /realtime/token, with the purpose `watch`, where authentication is on." };

const clientMessages = ["audio_data", "control", "config", "text", "dtmf", "stop_audio", "ping"].map(
  (type) => `client_${type}`,
);

const mediaMessages = {
  clientSends: ["comm_frame", "binary_audio", ...clientMessages],
  serverSends: [
    "comm_audio",
    "session",
    "transcript",
    "agent_response",
    "handoff",
    "tool_call",
    "event",
    "audio_levels",
    "error",
    "pong",
  ],
};

const browserMessages = {
  clientSends: ["binary_audio", ...clientMessages],
  serverSends: ["binary_audio", "session", "audio", "transcript", "response", "event", "audio_levels", "error", "pong"],
};

const browserQuery = {
  session_id: "Restores this session.",
  streaming_mode: "`VOICE_LIVE` or `REALTIME`; `REALTIME` where absent.",
  user_email:
    "The user's e-mail: shown with the session, and known to its agents as `context.user_email`. It proves nothing.",
  scenario: "The scenario to talk in.",
  agent: "Who begins, of the scenario's agents; its start agent where absent.",
  profile_id: "The customer, from POST /profiles/generate, who is talking.",
  language:
    "What agents hear and speak that name no language, such as `de-DE`; the scenario's or the service's where absent.",
  time_zone: "Where the caller is, such as `Europe/Berlin`; the scenario's or the service's where absent.",
  ...ticket,
};

/** ACCESS-21. */
const renewed =
  "It is closed with 4401 when the token has expired with which its ticket was got, unless a newer ticket renews it.";

const relay = {
  summary: "Live updates for dashboards",
  description: `Audio levels, transcripts, agent state and connection status. ${renewed}`,
  query: { session_id: "Only this conversation's updates; all that the caller may see where absent.", ...watchTicket },
  clientSends: ["client_renew", "client_ping"],
  serverSends: ["transcript", "response", "handoff", "tool_call", "event", "audio_levels", "session", "error", "pong"],
};

const conversation = {
  summary: "A conversation from a browser",
  description: "Binary frames are PCM at 16 kHz (`REALTIME`) or 24 kHz (`VOICE_LIVE`); text frames are messages.",
  query: browserQuery,
  ...browserMessages,
};

export const socketChannels: readonly SocketChannel[] = [
  {
    name: "mediaStream",
    path: "/media/stream",
    summary: "A phone call's audio",
    description: "PCM mono 16-bit: 16 kHz in the modes MEDIA and TRANSCRIPTION, 24 kHz in VOICE_LIVE.",
    query: {
      call_connection_id: "The call. Required.",
      session_id: "The browser session to coordinate with.",
      ...ticket,
    },
    ...mediaMessages,
  },
  {
    name: "mediaSessionStream",
    path: "/v1/media/stream/{session_id}",
    outsideApi: true,
    summary: "The stream of a session made by POST /media/sessions",
    description: "With the session's own sample rate, channels, format and chunk size.",
    pathParameters: { session_id: "From POST /media/sessions." },
    query: ticket,
    ...mediaMessages,
  },
  { name: "browserConversation", path: "/browser/conversation", ...conversation },
  { name: "realtimeConversation", path: "/realtime/conversation", ...conversation },
  { name: "browserDashboardRelay", path: "/browser/dashboard/relay", ...relay },
  { name: "realtimeDashboardRelay", path: "/realtime/dashboard/relay", ...relay },
  {
    name: "realtimeListen",
    path: "/realtime/listen",
    summary: "Both sides of a conversation, for an operator who listens in",
    description: `PCM16 of each side while it sounds. Those who watch the conversation are told; the caller is not. ${renewed}`,
    query: {
      session_id: "The conversation. Required.",
      ticket: "From POST /realtime/token, with the purpose `listen`, where authentication is on.",
    },
    clientSends: ["client_renew", "client_ping"],
    serverSends: ["audio", "pong"],
  },
  {
    name: "realtimeTools",
    path: "/realtime/tools",
    summary: "Tools tried by themselves, for an operator of the whole service",
    description: `Each runs as in a conversation, and in none: what tools remember here ends with the socket. ${renewed}`,
    query: { ticket: "From POST /realtime/token, with the purpose `try`, where authentication is on." },
    clientSends: ["client_describe_tool", "client_try_tool", "client_renew", "client_ping"],
    serverSends: ["tool_description", "tool_trial", "error", "pong"],
  },
  {
    name: "twilioStream",
    path: "/twilio/stream/{token}",
    summary: "A phone call's audio at Twilio",
    description: "Twilio's bidirectional media stream, with Twilio's signature. Audio is mu-law at 8 kHz in base64.",
    pathParameters: { token: "Of one stream of one call, from the instructions that Twilio was given." },
    query: {},
    clientSends: ["twilio_message"],
    serverSends: ["twilio_message"],
  },
  {
    name: "telephonyStream",
    path: "/telephony/stream",
    summary: "The bridge to a telephony platform",
    description:
      "Hook protocol version 2; subprotocol `hook-v2` where the platform offers it. Audio is mu-law at 8 kHz.",
    query: {
      scenario: "The scenario; the flow's input variable `scenario` is preferred.",
      agent: "Who takes the call; the flow's input variable `agent` is preferred.",
      session_id: "The session's id where the platform sends no header with it.",
      streaming_mode: "`VOICE_LIVE` talks with the caller, `TRANSCRIPTION` only listens; `VOICE_LIVE` where absent.",
      events: "Which events the platform is sent, separated by commas; its input variable `events` is preferred.",
    },
    clientSends: ["hook_message", "mulaw_audio"],
    serverSends: ["hook_message", "mulaw_audio"],
  },
];
