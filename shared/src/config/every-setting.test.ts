import { describe, expect, it } from "vitest";
import { completions, guid } from "../testing/completing-settings.ts";
import { insightsKey, serviceKey, storageKey } from "../testing/connection-strings.ts";
import { problemsIn } from "../testing/problems-in.ts";
import {
  aGuid,
  anyText,
  exactUrl,
  hosts,
  httpsUrl,
  onOff,
  range,
  server,
  type SettingValues,
} from "../testing/setting-values.ts";
import { loadSettings } from "./load.ts";
import { namedSettings, type SettingKey } from "./settings.ts";

interface Row extends SettingValues {
  readonly name: string;
  readonly key: SettingKey;
  /** The value if the variable is not set. */
  readonly without?: unknown;
}

const webhookSecret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

const rows: readonly Row[] = [
  { name: "PRICES_FILE", key: "pricesFile", ...anyText },
  {
    name: "ENVIRONMENT",
    key: "environment",
    without: "development",
    good: [["development", "development"]],
    bad: ["test", "Production"],
  },
  { name: "BASE_URL", key: "baseUrl", good: httpsUrl.good, bad: [...httpsUrl.bad, "https://host.example/?code=1"] },
  {
    name: "STREAMING_HOST_URL",
    key: "streamingHostUrl",
    good: [
      ["wss://host.example", "wss://host.example"],
      ["ws://localhost:9", "ws://localhost:9"],
    ],
    bad: ["ws://host.example", "https://host.example", "wss://host.example/?x=1"],
  },
  { name: "PORT", key: "port", without: 8080, ...range(0, 65_535) },
  { name: "HOST", key: "host", without: "127.0.0.1", ...anyText },
  { name: "LOG_LEVEL", key: "logLevel", without: "info", good: [["debug", "debug"]], bad: ["verbose"] },
  { name: "MAX_SESSIONS", key: "maxSessions", without: 300, ...range(1, 100_000) },
  { name: "MAX_DASHBOARDS", key: "maxDashboards", without: 100, ...range(1, 10_000) },
  { name: "MAX_TELEPHONY_OPENINGS", key: "maxTelephonyOpenings", without: 40, ...range(1, 10_000) },
  { name: "MAX_EVENT_LOOP_DELAY", key: "maxEventLoopDelayMs", without: 250, ...range(10, 60_000) },
  { name: "MAX_SESSIONS_PER_HOUR", key: "maxSessionsPerHour", without: 10_000, ...range(1, 1_000_000) },
  { name: "MAX_RESETS_PER_HOUR", key: "maxResetsPerHour", without: 120, ...range(1, 100_000) },
  {
    name: "MAX_SESSION_DEFINITION_BYTES",
    key: "maxSessionDefinitionBytes",
    without: 1_000_000,
    ...range(1000, 100_000_000),
  },
  { name: "MAX_SESSION_HISTORY", key: "maxSessionHistory", without: 8_000_000, ...range(100_000, 1_000_000_000) },
  { name: "DRAIN_TIMEOUT", key: "drainTimeoutMs", without: 900_000, ...range(1, 86_400, 1000) },
  { name: "CATALOG_DIR", key: "catalogDir", ...anyText },
  { name: "AGENT_SCENARIO", key: "agentScenario", ...anyText },
  { name: "TOOLS_DIR", key: "toolsDir", ...anyText },
  { name: "SESSION_AGENT_TOOLS", key: "sessionAgentTools", good: [["book, shop_*", ["book", "shop_*"]]], bad: [] },
  { name: "DEMO_ENABLED", key: "demoEnabled", ...onOff },
  { name: "DEMO_CUSTOMERS", key: "demoCustomers", ...onOff },
  { name: "TOOL_HOSTS", key: "toolHosts", without: [], ...hosts },
  { name: "TOOL_PRIVATE_HOSTS", key: "toolPrivateHosts", without: [], ...hosts },
  {
    name: "TOOL_SECRETS",
    key: "toolSecrets",
    good: [
      [
        "ORDERS=a=b, STOCK=c",
        new Map([
          ["ORDERS", "a=b"],
          ["STOCK", "c"],
        ]),
      ],
      ['{"ORDERS":"a,b"}', new Map([["ORDERS", "a,b"]])],
    ],
    bad: ["orders=a", "ORDERS", "ORDERS=", "{", '{"ORDERS":1}'],
  },
  { name: "TOOL_RESULT_LIMIT", key: "toolResultLimit", without: 8000, ...range(500, 1_000_000) },
  {
    name: "MCP_SERVERS",
    key: "mcpServers",
    without: [],
    good: [
      [
        "files=https://a, crm=http://localhost:3/mcp/",
        [
          { name: "files", url: "https://a" },
          { name: "crm", url: "http://localhost:3/mcp/" },
        ],
      ],
      ['[{"name":"files","command":"node","args":["x.js"]}]', [{ name: "files", command: "node", args: ["x.js"] }]],
      ['[{"name":"files","command":"serve"}]', [{ name: "files", command: "serve", args: [] }]],
    ],
    bad: [
      "files",
      "files=",
      "=https://a",
      "a=http://far.example",
      "[",
      "[1]",
      "a=https://a,a=https://b",
      "Big=https://a",
      '[{"name":"x","url":"https://a","extra":1}]',
    ],
  },
  { name: "RECORDING_ENABLED", key: "recordingEnabled", without: false, ...onOff },
  { name: "FLIGHT_RECORDER", key: "flightRecorderEnabled", without: false, ...onOff },
  { name: "RECORDING_DIR", key: "recordingDir", without: "recordings", ...anyText },
  {
    name: "RECORDING_CONTAINER",
    key: "recordingContainer",
    without: "recordings",
    good: [["my-calls-2", "my-calls-2"]],
    bad: ["ab", "Calls", "a--b", "-calls", "a_b", "a".repeat(64)],
  },
  { name: "RECORDING_ANNOUNCEMENT", key: "recordingAnnouncement", ...anyText },
  { name: "CONSOLE_ENABLED", key: "consoleEnabled", without: true, ...onOff },
  {
    name: "CORS_ALLOWED_ORIGINS",
    key: "corsAllowedOrigins",
    without: [],
    good: [["https://a.example, http://localhost:3000,", ["https://a.example", "http://localhost:3000"]]],
    bad: ["*", "https://a.example,http://b.example"],
  },
  { name: "TTS_VOICE", key: "ttsVoice", without: "en-US-AvaMultilingualNeural", ...anyText },
  { name: "TTS_STYLE", key: "ttsStyle", without: "chat", ...anyText },
  { name: "TTS_RATE", key: "ttsRate", without: "+3%", good: [["-10%", "-10%"]], bad: ["3", "+3", "fast", "3%"] },
  { name: "STT_LANGUAGE", key: "sttLanguage", without: "en-US", good: [["de-DE", "de-DE"]], bad: ["en_US", "de-QX"] },
  {
    name: "TIME_ZONE",
    key: "timeZone",
    without: "UTC",
    good: [["Europe/Berlin", "Europe/Berlin"]],
    bad: ["Berlin", "Europe/Bern", "+02:00"],
  },
  { name: "VAD_SILENCE_TIMEOUT", key: "vadSilenceTimeoutMs", without: 500, ...range(100, 5000) },
  { name: "END_OF_TURN_MODEL_FILE", key: "endOfTurnModelFile", ...anyText },
  { name: "VAD_TIMEOUT_MS", key: "vadTimeoutMs", without: 2000, ...range(500, 60_000) },
  { name: "VAD_SENSITIVITY", key: "vadSensitivity", without: "medium", good: [["high", "high"]], bad: ["loud"] },
  { name: "BARGE_IN_ENABLED", key: "bargeInEnabled", without: true, ...onOff },
  { name: "BARGE_IN_THRESHOLD_MS", key: "bargeInThresholdMs", without: 10, ...range(0, 2000) },
  { name: "STT_MODEL_ID", key: "sttModelId", ...anyText },
  {
    name: "STT_SEGMENTATION",
    key: "sttSegmentation",
    without: "silence",
    good: [["semantic", "semantic"]],
    bad: ["time"],
  },
  { name: "FILLER_DELAY", key: "fillerDelayMs", without: 2000, ...range(0, 9, 1000) },
  { name: "ANSWER_TIMEOUT", key: "answerTimeoutMs", without: 10_000, ...range(5, 60, 1000) },
  { name: "MAX_STT_POOL_SIZE", key: "maxSttPoolSize", without: 4, ...range(0, 256) },
  { name: "MAX_TTS_POOL_SIZE", key: "maxTtsPoolSize", without: 4, ...range(0, 256) },
  { name: "TTS_CACHE_MB", key: "ttsCacheMb", without: 32, ...range(0, 1024) },
  { name: "SPEECH_REQUEST_TIMEOUT", key: "speechRequestTimeoutMs", without: 30_000, ...range(1, 300, 1000) },
  { name: "RETRY_MAX_ATTEMPTS", key: "retryMaxAttempts", without: 3, ...range(0, 10) },
  {
    name: "RETRY_BACKOFF_FACTOR",
    key: "retryBackoffFactor",
    without: 2,
    good: [
      ["1", 1],
      ["1.5", 1.5],
      ["10", 10],
    ],
    bad: ["0.5", "11", "two"],
  },
  { name: "RETRY_JITTER", key: "retryJitter", without: true, ...onOff },
  {
    name: "COMM_STREAMING_MODE",
    key: "streamingMode",
    without: "MEDIA",
    good: [
      ["TRANSCRIPTION", "TRANSCRIPTION"],
      ["VOICE_LIVE", "VOICE_LIVE"],
    ],
    bad: ["REALTIME", "media"],
  },
  { name: "COMM_ENDPOINT", key: "commEndpoint", ...httpsUrl },
  { name: "COMM_CONNECTION_STRING", key: "commConnectionString", ...serviceKey },
  {
    name: "COMM_PHONE_NUMBER",
    key: "commPhoneNumber",
    good: [["+14255550100", "+14255550100"]],
    bad: ["14255550100", "+04255550100", "+1", "+1425555010012345678"],
  },
  { name: "COMM_RESOURCE_ID", key: "commResourceId", ...aGuid },
  {
    name: "COMM_JWT_ISSUER",
    key: "commJwtIssuer",
    without: "https://acscallautomation.communication.azure.com",
    ...httpsUrl,
  },
  {
    name: "COMM_JWKS_URL",
    key: "commJwksUrl",
    without: "https://acscallautomation.communication.azure.com/calling/keys",
    ...exactUrl,
  },
  {
    name: "COMM_WEBHOOK_SECRET",
    key: "commWebhookSecrets",
    good: [
      ["open sesame", ["open sesame"]],
      ["new, old", ["new", "old"]],
    ],
    bad: [",", "a,b,c"],
  },
  { name: "COMM_CALL_TIMEOUT", key: "commCallTimeoutMs", without: 60_000, ...range(5, 300, 1000) },
  { name: "COMM_REQUEST_TIMEOUT", key: "commRequestTimeoutMs", without: 8000, ...range(1, 60, 1000) },
  {
    name: "COMM_WHEN_SILENT",
    key: "commWhenSilent",
    without: "end",
    good: [["person", "person"]],
    bad: ["never"],
  },
  { name: "COMM_SILENT_MESSAGE", key: "commSilentMessage", ...anyText },
  {
    name: "COMM_WHEN_FULL",
    key: "commWhenFull",
    without: "ring",
    good: [
      ["redirect", "redirect"],
      ["message", "message"],
    ],
    bad: ["busy"],
  },
  {
    name: "COMM_WHEN_FULL_TARGET",
    key: "commWhenFullTarget",
    good: [
      ["+14255550150", "+14255550150"],
      ["person", "person"],
    ],
    bad: ["Somebody", "+0"],
  },
  { name: "COMM_FULL_MESSAGE", key: "commFullMessage", ...anyText },
  { name: "COMM_TRANSFERS", key: "commTransfers", without: "blind", good: [["warm", "warm"]], bad: ["cold"] },
  { name: "COMM_MAX_CALL_DURATION", key: "commMaxCallMs", without: 3_600_000, ...range(10, 86_400, 1000) },
  {
    name: "COMM_DESTINATIONS",
    key: "commDestinations",
    without: new Map(),
    good: [
      [
        "person=+14255550150, claims=sip:claims@pbx.example;user=phone",
        new Map([
          ["person", "+14255550150"],
          ["claims", "sip:claims@pbx.example;user=phone"],
        ]),
      ],
    ],
    bad: ["person", "person=", "person=somebody", "=+14255550150", "Person=+14255550150"],
  },
  {
    name: "COMM_VOICEMAIL",
    key: "commVoicemail",
    without: "ignore",
    good: [
      ["hang-up", "hang-up"],
      ["message", "message"],
    ],
    bad: ["hangup", "yes"],
  },
  { name: "COMM_VOICEMAIL_MESSAGE", key: "commVoicemailMessage", ...anyText },
  { name: "COMM_COGNITIVE_ENDPOINT", key: "commCognitiveEndpoint", ...httpsUrl },
  { name: "COMM_PLAYOUT_BUFFER_MS", key: "commPlayoutBufferMs", without: 200, ...range(0, 2000) },
  { name: "COMM_HOLD_AUDIO", key: "commHoldAudio", ...exactUrl },
  {
    name: "COMM_SCENARIOS",
    key: "commScenarios",
    without: new Map(),
    good: [
      [
        "+14255550150=insurance, +14255550151=banking/fraud-specialist",
        new Map([
          ["+14255550150", { scenario: "insurance" }],
          ["+14255550151", { scenario: "banking", agent: "fraud-specialist" }],
        ]),
      ],
    ],
    bad: ["insurance", "+14255550150", "+14255550150=", "4255550150=a", "+14255550150=a,14255550150=b", "+12=a/"],
  },
  { name: "CLOUD_CLIENT_ID", key: "cloudClientId", ...aGuid },
  { name: "CLOUD_CLIENT_SECRET", key: "cloudClientSecret", ...anyText },
  { name: "CLOUD_OPENAI_ENDPOINT", key: "openaiEndpoint", ...httpsUrl },
  { name: "CLOUD_OPENAI_DEPLOYMENT", key: "openaiDeployment", ...anyText },
  { name: "CLOUD_OPENAI_KEY", key: "openaiKey", ...anyText },
  { name: "CLOUD_OPENAI_KEY_HEADER", key: "openaiKeyHeader", ...anyText },
  {
    name: "CLOUD_OPENAI_HEADERS",
    key: "openaiHeaders",
    good: [["x-team=voice, x-key=a=b", { "x-team": "voice", "x-key": "a=b" }]],
    bad: ["x-team", "=voice", "x team=voice"],
  },
  {
    name: "CLOUD_OPENAI_FIRST_TOKEN_TIMEOUT",
    key: "openaiFirstTokenTimeoutMs",
    without: 8000,
    ...range(0.5, 120, 1000),
  },
  { name: "CLOUD_OPENAI_STALL_TIMEOUT", key: "openaiStallTimeoutMs", without: 8000, ...range(0.5, 120, 1000) },
  {
    name: "CLOUD_OPENAI_REASONING_EFFORT",
    key: "openaiReasoningEffort",
    good: [["minimal", "minimal"]],
    bad: ["much"],
  },
  { name: "CLOUD_OPENAI_VERBOSITY", key: "openaiVerbosity", good: [["low", "low"]], bad: ["none"] },
  { name: "CLOUD_OPENAI_REASONING_TOKENS", key: "openaiReasoningTokens", without: 2000, ...range(0, 100_000) },
  { name: "CLOUD_OPENAI_CONTEXT_TOKENS", key: "openaiContextTokens", ...range(1_000, 10_000_000) },
  { name: "CLOUD_OPENAI_FALLBACK_ENDPOINT", key: "openaiFallbackEndpoint", ...httpsUrl },
  { name: "CLOUD_OPENAI_FALLBACK_DEPLOYMENT", key: "openaiFallbackDeployment", ...anyText },
  { name: "CLOUD_OPENAI_FALLBACK_KEY", key: "openaiFallbackKey", ...anyText },
  {
    name: "CLOUD_ENVIRONMENT",
    key: "cloudEnvironment",
    without: "public",
    good: [["usgovernment", "usgovernment"]],
    bad: ["germany"],
  },
  { name: "CLOUD_VOICELIVE_OPEN_TIMEOUT", key: "voiceLiveOpenTimeoutMs", without: 5000, ...range(0.5, 60, 1000) },
  { name: "CLOUD_SPEECH_REGION", key: "speechRegion", good: [["eastus2", "eastus2"]], bad: ["East US 2", "a.example"] },
  { name: "CLOUD_SPEECH_ENDPOINT", key: "speechEndpoint", ...httpsUrl },
  { name: "CLOUD_SPEECH_KEY", key: "speechKey", ...anyText },
  { name: "CLOUD_SPEECH_RESOURCE_ID", key: "speechResourceId", ...anyText },
  { name: "CLOUD_VOICELIVE_ENDPOINT", key: "voiceLiveEndpoint", ...httpsUrl },
  { name: "CLOUD_VOICELIVE_MODEL", key: "voiceLiveModel", ...anyText },
  { name: "CLOUD_VOICELIVE_TRANSCRIPTION_MODEL", key: "voiceLiveTranscriptionModel", ...anyText },
  { name: "CLOUD_VOICELIVE_KEY", key: "voiceLiveKey", ...anyText },
  { name: "CLOUD_VOICELIVE_FALLBACK", key: "voiceLiveFallback", without: true, ...onOff },
  { name: "CLOUD_APPCONFIG_ENDPOINT", key: "appConfigEndpoint", ...httpsUrl },
  { name: "CLOUD_APPCONFIG_LABEL", key: "appConfigLabel", ...anyText },
  { name: "CLOUD_WEBPUBSUB_ENDPOINT", key: "webPubSubEndpoint", ...httpsUrl },
  { name: "CLOUD_WEBPUBSUB_CONNECTION_STRING", key: "webPubSubConnectionString", ...serviceKey },
  { name: "CLOUD_DOCSTORE_ENDPOINT", key: "docstoreEndpoint", ...httpsUrl },
  { name: "CLOUD_DOCSTORE_DATABASE", key: "docstoreDatabase", ...anyText },
  { name: "CLOUD_STORAGE_ENDPOINT", key: "storageEndpoint", ...httpsUrl },
  { name: "CLOUD_STORAGE_CONNECTION_STRING", key: "storageConnectionString", ...storageKey },
  {
    name: "CACHE_HOST",
    key: "cacheHost",
    good: ["a.example", "::1", "10.0.0.7"].map((host) => [host, host]),
    bad: ["a.example:6380", "cafe:6379", "a b"],
  },
  { name: "CACHE_PORT", key: "cachePort", without: 6379, ...range(1, 65_535) },
  { name: "CACHE_USERNAME", key: "cacheUsername", ...anyText },
  { name: "CACHE_PASSWORD", key: "cachePassword", ...anyText },
  { name: "CACHE_TLS", key: "cacheTls", ...onOff },
  { name: "CACHE_CLUSTER", key: "cacheCluster", ...onOff },
  { name: "CACHE_MAX_CONNECTIONS", key: "cacheMaxConnections", without: 20, ...range(2, 1000) },
  { name: "CACHE_CONNECTION_TIMEOUT", key: "cacheConnectionTimeoutMs", without: 5000, ...range(0.1, 60, 1000) },
  { name: "CACHE_OPERATION_TIMEOUT", key: "cacheOperationTimeoutMs", without: 5000, ...range(0.05, 60, 1000) },
  { name: "ENABLE_AUTH_VALIDATION", key: "enableAuthValidation", without: false, ...onOff },
  {
    name: "ALLOW_UNAUTHENTICATED_PRODUCTION",
    key: "allowUnauthenticatedProduction",
    without: false,
    ...onOff,
  },
  { name: "OPERATOR_ROLE", key: "operatorRole", without: "Voice.Operator", ...anyText },
  { name: "CALL_ROLE", key: "callRole", ...anyText },
  { name: "AGENT_ROLE", key: "agentRole", ...anyText },
  {
    name: "CALL_ALLOWED_DESTINATIONS",
    key: "callAllowedDestinations",
    good: [
      ["any", { isAny: true, countries: new Set(), prefixes: [] }],
      ["US, UK,+4930", { isAny: false, countries: new Set(["US", "GB"]), prefixes: ["+4930"] }],
    ],
    bad: ["usa", "us", "XX", "4930", "+0", "all", "US;DE"],
  },
  { name: "MAX_CALLS_PER_HOUR", key: "maxCallsPerHour", without: 300, ...range(1, 1_000_000) },
  { name: "MAX_CALLS_AT_ONCE", key: "maxCallsAtOnce", without: 50, ...range(1, 100_000) },
  { name: "MAX_SERVICE_CALLS_PER_HOUR", key: "maxServiceCallsPerHour", without: 3000, ...range(1, 1_000_000) },
  { name: "MAX_SERVICE_CALLS_AT_ONCE", key: "maxServiceCallsAtOnce", without: 200, ...range(1, 100_000) },
  { name: "OPERATOR_SUBJECTS", key: "operatorSubjects", without: [], good: [["a, b", ["a", "b"]]], bad: [] },
  // These three are judged by readiness, which must be able to say what is wrong with them.
  { name: "BACKEND_AUTH_CLIENT_ID", key: "backendAuthClientId", ...anyText },
  { name: "CLOUD_TENANT_ID", key: "cloudTenantId", ...anyText },
  { name: "ALLOWED_CLIENT_IDS", key: "allowedClientIds", without: [], good: [[`${guid}, b`, [guid, "b"]]], bad: [] },
  { name: "AUTH_JWT_ISSUER", key: "authJwtIssuer", ...httpsUrl },
  { name: "AUTH_JWKS_URL", key: "authJwksUrl", ...exactUrl },
  { name: "SIGN_IN_CLIENT_ID", key: "signInClientId", ...anyText },
  { name: "SIGN_IN_AUTHORITY", key: "signInAuthority", ...httpsUrl },
  { name: "SIGN_IN_SCOPE", key: "signInScope", ...anyText },
  {
    name: "SIGN_IN_ORIGINS",
    key: "signInOrigins",
    without: [],
    good: [["https://a.example,https://b.example", ["https://a.example", "https://b.example"]]],
    bad: ["http://a.example", "a"],
  },
  { name: "TELEPHONY_API_KEY", key: "telephonyApiKey", ...anyText },
  { name: "TELEPHONY_CLIENT_SECRET", key: "telephonyClientSecret", ...anyText },
  { name: "TELEPHONY_KEYS", key: "telephonyKeys", good: [["*:key", [{ apiKey: "key" }]]], bad: ["key", "harbor:key"] },
  {
    name: "TELEPHONY_LANGUAGES",
    key: "telephonyLanguages",
    without: [],
    good: [["en-US, de-DE", ["en-US", "de-DE"]]],
    bad: ["English", "en-US, de-QX"],
  },
  {
    name: "TELEMETRY",
    key: "telemetry",
    without: [],
    good: [["otlp, application-insights", ["otlp", "application-insights"]]],
    bad: ["jaeger"],
  },
  { name: "TELEMETRY_SAMPLING", key: "telemetrySampling", without: 1, ...range(0, 1) },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    key: "otlpEndpoint",
    good: [["http://collector:4318/", "http://collector:4318"]],
    bad: ["collector:4318", "ftp://collector"],
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    key: "otlpHeaders",
    good: [["a=b, Authorization=Basic%20YTpi%3D,c=1%2C2", { a: "b", Authorization: "Basic YTpi=", c: "1,2" }]],
    bad: ["a", "a=50%", "a=b%0D%0Ac: d"],
  },
  { name: "APPLICATIONINSIGHTS_CONNECTION_STRING", key: "insightsConnectionString", ...insightsKey },
  { name: "METRICS_PORT", key: "metricsPort", ...range(0, 65_535) },
  { name: "METRICS_HOST", key: "metricsHost", without: "127.0.0.1", ...anyText },
  { name: "OPENAI_API_KEY", key: "openaiApiKey", ...anyText },
  { name: "OPENAI_BASE_URL", key: "openaiBaseUrl", without: "https://api.openai.com/v1", ...server },
  { name: "OPENAI_CHAT_MODEL", key: "openaiChatModel", ...anyText },
  { name: "OPENAI_STT_MODEL", key: "openaiSttModel", ...anyText },
  { name: "OPENAI_STT_BASE_URL", key: "openaiSttBaseUrl", ...server },
  { name: "OPENAI_STT_KEY", key: "openaiSttKey", ...anyText },
  { name: "OPENAI_TTS_MODEL", key: "openaiTtsModel", ...anyText },
  { name: "OPENAI_TTS_BASE_URL", key: "openaiTtsBaseUrl", ...server },
  { name: "OPENAI_TTS_KEY", key: "openaiTtsKey", ...anyText },
  { name: "OPENAI_REALTIME_MODEL", key: "openaiRealtimeModel", ...anyText },
  { name: "OPENAI_REALTIME_TRANSCRIPTION_MODEL", key: "openaiRealtimeTranscriptionModel", ...anyText },
  { name: "OPENAI_TTS_VOICE", key: "openaiTtsVoice", ...anyText },
  { name: "OPENAI_TTS_RAW_RATE_HZ", key: "openaiTtsRawRateHz", without: 24_000, ...range(4000, 192_000) },
  {
    name: "MODEL_PRIVATE_HOSTS",
    key: "modelPrivateHosts",
    without: [],
    good: [["models.lan:8000, 10.0.0.7", ["models.lan:8000", "10.0.0.7"]]],
    bad: ["http://models.lan"],
  },
  { name: "RECOGNISER_MODULE", key: "recogniserModule", ...anyText },
  { name: "SYNTHESISER_MODULE", key: "synthesiserModule", ...anyText },
  { name: "LANGUAGE_MODEL_MODULE", key: "languageModelModule", ...anyText },
  { name: "REALTIME_MODEL_MODULE", key: "realtimeModelModule", ...anyText },
  {
    name: "WEBHOOK_URLS",
    key: "webhookUrls",
    good: [["https://a.example/x/, https://b/?sig=x/", ["https://a.example/x/", "https://b/?sig=x/"]]],
    bad: ["a", "ftp://a.example"],
  },
  {
    name: "WEBHOOK_SECRETS",
    key: "webhookSecrets",
    good: [[`${webhookSecret}, ${webhookSecret}`, [webhookSecret, webhookSecret]]],
    bad: ["secret", "whsec_c2hvcnQ=", [webhookSecret, webhookSecret, webhookSecret].join(), "whsec_not base64"],
  },
  { name: "WEBHOOK_PRIVATE_HOSTS", key: "webhookPrivateHosts", without: [], ...hosts },
];

describe("every setting", () => {
  it("has a row in this table", () => {
    expect(rows.map(({ name, key }) => `${name} ${key}`).toSorted()).toEqual(
      namedSettings.map(({ name, key }) => `${name} ${key}`).toSorted(),
    );
  });

  it.each(rows)(
    "$name has its default, takes good values and refuses bad ones by name",
    ({ name, key, without, good, bad }) => {
      const completion = completions[name] ?? {};
      expect(loadSettings({})[key]).toEqual(without);
      expect(loadSettings({ [name]: "  " })[key]).toEqual(without);
      for (const [text, value] of good)
        expect(loadSettings({ ...completion, [name]: ` ${text} ` })[key]).toEqual(value);
      for (const text of bad) {
        const problems = problemsIn({ ...completion, [name]: text });
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^${name} must `));
      }
    },
  );
});
