/** Where the service runs and what it offers. */
import { logLevels } from "../platform/logger.ts";
import {
  baseHttpUrl,
  baseWebSocketUrl,
  containerName,
  flag,
  httpUrl,
  integer,
  listOf,
  milliseconds,
  oneOf,
  seconds,
  text,
} from "./kinds.ts";
import { defaulted, optional } from "./setting.ts";

export const environments = ["development", "production"] as const;

export const runtimeSettings = {
  environment: defaulted(
    "ENVIRONMENT",
    oneOf(environments),
    "development",
    "`production` never falls back to a local part: it refuses to start while a cloud setting is missing.",
  ),
  baseUrl: optional("BASE_URL", baseHttpUrl, "Public URL of the HTTP API; the communication service calls back to it."),
  streamingHostUrl: optional(
    "STREAMING_HOST_URL",
    baseWebSocketUrl,
    "Public WebSocket URL of the streaming hosts. If not set: BASE_URL with wss in place of https.",
  ),
  port: defaulted(
    "PORT",
    integer(0, 65_535),
    "8080",
    "Port of the local start and of the streaming host; 0 picks a free one.",
  ),
  host: defaulted("HOST", text, "127.0.0.1", "Address to listen on; 0.0.0.0 in a container."),
  logLevel: defaulted("LOG_LEVEL", oneOf(logLevels), "info", "Least severe level that is logged."),
  maxSessions: defaulted(
    "MAX_SESSIONS",
    integer(1, 100_000),
    "300",
    "Conversations one streaming host takes; more are refused with 503.",
  ),
  maxDashboards: defaulted(
    "MAX_DASHBOARDS",
    integer(1, 10_000),
    "100",
    "Dashboards that may watch one streaming host at a time, and as many listeners again; more are refused with 503.",
  ),
  maxTelephonyOpenings: defaulted(
    "MAX_TELEPHONY_OPENINGS",
    integer(1, 10_000),
    "40",
    "Telephony sockets that may be open before their first message; more are refused with 503.",
  ),
  maxEventLoopDelayMs: defaulted(
    "MAX_EVENT_LOOP_DELAY",
    milliseconds(10, 60_000),
    "250",
    "Delay of a streaming host's event loop above which, for three seconds, it refuses new conversations with 503.",
  ),
  maxSessionsPerHour: defaulted(
    "MAX_SESSIONS_PER_HOUR",
    integer(1, 1_000_000),
    "10000",
    "Conversations that one client (its token's subject, or its address) may begin in an hour, fresh starts over HTTP, demonstration customers and the first agent or scenario made for a session included; more are refused with 429.",
  ),
  maxResetsPerHour: defaulted(
    "MAX_RESETS_PER_HOUR",
    integer(1, 100_000),
    "120",
    "Times that one client may begin its conversations afresh in an hour, over sockets.",
  ),
  maxStoredBytesPerHour: defaulted(
    "MAX_STORED_BYTES_PER_HOUR",
    integer(100_000, 10_000_000_000),
    "20000000",
    "How many bytes of agents, scenarios, customers and contexts of calls one client may have stored in an hour; they are kept for a day, those of calls for a week.",
  ),
  maxSessionDefinitionBytes: defaulted(
    "MAX_SESSION_DEFINITION_BYTES",
    integer(1000, 100_000_000),
    "1000000",
    "Size that the agents and scenarios created for one session may have together, in bytes of JSON; more is refused with 409.",
  ),
  maxSessionHistory: defaulted(
    "MAX_SESSION_HISTORY",
    integer(100_000, 1_000_000_000),
    "8000000",
    "Characters of one session's history, results of tools included, and 300 more for each entry; with this many the agent says goodbye, and the session can no longer be resumed. An hour of talk takes about 500,000.",
  ),
  drainTimeoutMs: defaulted(
    "DRAIN_TIMEOUT",
    seconds(1, 86_400),
    "900",
    "How long a streaming host that is told to stop lets its conversations go on; the platform's grace period must be longer.",
  ),
  catalogDir: optional(
    "CATALOG_DIR",
    text,
    "Folder of agents and scenarios (`npm run new` makes one). If not set: those of the demonstration.",
  ),
  agentScenario: optional(
    "AGENT_SCENARIO",
    text,
    "Scenario of sessions that do not ask for one. If not set: `default`, or the only one that there is.",
  ),
  recordingEnabled: defaulted("RECORDING_ENABLED", flag, "false", "Records every conversation, with its transcript."),
  recordingDir: defaulted(
    "RECORDING_DIR",
    text,
    "recordings",
    "Folder of the recordings where no Blob storage is configured; the functions app and the streaming hosts must see the same one.",
  ),
  recordingContainer: defaulted(
    "RECORDING_CONTAINER",
    containerName,
    "recordings",
    "Container of the recordings in Blob storage; made when it is not there.",
  ),
  auditContainer: optional(
    "AUDIT_CONTAINER",
    containerName,
    "Container in the storage account of the recordings to which audit records are appended for good. If not set, they are in the log and, for AUDIT_RETENTION_DAYS, in the store.",
  ),
  auditRetentionDays: defaulted(
    "AUDIT_RETENTION_DAYS",
    integer(1, 365),
    "30",
    "How many days operators can look audit records up; of very many, the newest 50,000 are kept.",
  ),
  recordingAnnouncement: optional(
    "RECORDING_ANNOUNCEMENT",
    text,
    "What is said before the greeting of a conversation that is recorded. If not set, nothing is announced.",
  ),
  flightRecorderEnabled: defaulted(
    "FLIGHT_RECORDER",
    flag,
    "false",
    "Stores the events and decisions of each conversation's turn machine, including the caller's words, for `npm run replay`, and what models were sent, for operators.",
  ),
  pricesFile: optional(
    "PRICES_FILE",
    text,
    "File with the prices of services (YAML; see docs/prices.example.yaml). If not set, usage is counted without prices.",
  ),
  consoleEnabled: defaulted(
    "CONSOLE_ENABLED",
    flag,
    "true",
    "Serves the web console at `/`: `npm start` and packaged streaming hosts do.",
  ),
  corsAllowedOrigins: defaulted(
    "CORS_ALLOWED_ORIGINS",
    listOf(httpUrl),
    "",
    "Origins whose pages may call the API and open sockets; the own origin always may.",
  ),
};
