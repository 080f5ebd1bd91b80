/**
 * Every request to a vendor's service has an end, whatever the vendor's SDK makes of the limit that it is given: real SDKs against real
 * sockets on this machine that take the connection and never answer, that begin an answer and never end it, or that ask to come back
 * in an hour. One table of requests with the limit that the product promises for each.
 */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { createTokenVerifier, keysOutage } from "@voice/shared/auth/token-verifier";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { createAppConfigurationLoader } from "@voice/shared/config/app-configuration";
import { loadSettings } from "@voice/shared/config/load";
import { createWebPubSubWatchAccess } from "@voice/shared/live-relay/web-pubsub-watch-access";
import { systemClock } from "@voice/shared/platform/clock";
import { createEntraCredential } from "@voice/shared/platform/entra-credential";
import { silentLogger } from "@voice/shared/platform/logger";
import { createBlobRecordingStore } from "@voice/shared/recordings/blob-recording-store";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { startOpenTelemetry } from "@voice/shared/telemetry/open-telemetry/start-open-telemetry";
import { AzureCallAutomation } from "@voice/streaming-host/providers/azure/call-automation/call-automation";
import { createAzureRecogniser } from "@voice/streaming-host/providers/azure/recogniser";
import { createAzureSynthesiser } from "@voice/streaming-host/providers/azure/synthesiser";
import { createWebPubSubRelay } from "@voice/streaming-host/providers/azure/web-pubsub";
import { createMcpTools } from "@voice/streaming-host/providers/mcp/mcp-tools";
import { createOpenAiLanguageModel } from "@voice/streaming-host/providers/openai/language-model";
import { createOpenAiRealtimeModel } from "@voice/streaming-host/providers/openai/realtime/realtime-model";
import { createOpenAiSynthesiser } from "@voice/streaming-host/providers/openai/speech/synthesiser";
import { createVoiceLiveModel } from "@voice/streaming-host/providers/voice-live/realtime-model";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createRequest } from "../support/openai-questions.ts";
import { timeOf } from "../support/wait.ts";
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { SpeechEndpoint } from "@voice/streaming-host/providers/azure/speech-endpoint";

/** What an answer may take longer than its limit on a busy machine, without being taken for one that has none. */
const slackMs = 4000;

interface Row {
  readonly name: string;
  readonly limitMs: number;
  /** Rejects, or resolves, at its end. */
  readonly request: (port: number) => Promise<unknown>;
}

const shortMs = 500;
const noRetries = { maxAttempts: 0, backoffFactor: 2, jitter: false } as const;
const parts = { clock: systemClock, logger: silentLogger };
const neverAborted = new AbortController().signal;
const key = "a2V5";
const identity = {
  getToken: () => Promise.resolve({ token: "token", expiresOnTimestamp: Date.now() + 3_600_000 }),
  tokenFor: () => () => Promise.resolve("token"),
};

const callConnectionId = "connection";
const to = "+12025550123";
const repetition = { id: "repetition", firstSentAtMs: 0 };
const operationContext = "context";
const newCall = { repetition, callId: "call", callbackUrl: "https://host.test/c", mediaUrl: "wss://host.test/m" };
const stream = { kind: "audio", sampleRateHz: 16_000 } as const;

const callRequests: Readonly<Record<string, (calls: CallAutomation) => Promise<unknown>>> = {
  place: (calls) => calls.place({ ...newCall, stream, targetNumber: to, callerNumber: "+12025550100" }),
  answer: (calls) => calls.answer({ ...newCall, stream, incomingCallContext: "context" }),
  reject: (calls) => calls.reject({ incomingCallContext: "context", repetition }),
  redirect: (calls) =>
    calls.redirect({ incomingCallContext: "context", target: to, callerNumber: undefined, repetition }),
  play: (calls) => calls.play({ callConnectionId, audioUrl: "https://host.test/a", operationContext, to: undefined }),
  addParticipant: (calls) =>
    calls.addParticipant({
      callConnectionId,
      target: to,
      callerNumber: undefined,
      timeoutMs: 1000,
      operationContext,
      context: {},
      repetition,
    }),
  cancelInvitation: (calls) =>
    calls.cancelInvitation({ callConnectionId, invitationId: "invitation", operationContext, repetition }),
  removeParticipant: (calls) => calls.removeParticipant({ callConnectionId, target: to, operationContext, repetition }),
  leave: (calls) => calls.leave({ callConnectionId, repetition }),
  hangUp: (calls) => calls.hangUp({ callConnectionId, repetition }),
  transfer: (calls) =>
    calls.transfer({
      callConnectionId,
      target: to,
      callerNumber: undefined,
      operationContext,
      context: {},
      repetition,
    }),
  sendDigits: (calls) => calls.sendDigits({ callConnectionId, digits: "1", to, operationContext, repetition }),
  hold: (calls) => calls.hold({ callConnectionId, to, operationContext, audioUrl: undefined }),
  unhold: (calls) => calls.unhold({ callConnectionId, to }),
  stateOf: (calls) => calls.stateOf(callConnectionId),
  participantsOf: (calls) => calls.participantsOf(callConnectionId),
  "startStream audio": (calls) => calls.startStream(callConnectionId, "audio"),
  "startStream transcript": (calls) => calls.startStream(callConnectionId, "transcript"),
};

const recording = { sessionId: "session", recordingId: "recording" };
const recordingRequests: Readonly<Record<string, (store: RecordingStore) => Promise<unknown>>> = {
  create: (store) => store.create(recording, { sampleRateHz: 16_000, channels: 2 }),
  find: (store) => store.find(recording),
  read: (store) => store.read(recording, 0, 100),
  transcript: (store) => store.transcript(recording),
  deleteAll: (store) => store.deleteAll("session"),
};

const speechAt = (port: number): SpeechEndpoint => ({
  location: { kind: "host", url: `http://127.0.0.1:${port}` },
  credential: { kind: "key", key },
});
const recognition = {
  sampleRateHz: 16_000,
  language: "en-US",
  candidateLanguages: [],
  segmentationSilenceMs: 500,
};
const spoken = {
  text: "Hello.",
  voice: { name: "en-US-AvaMultilingualNeural" },
  language: "en-US",
  sampleRateHz: 16_000,
};
const nothing = (): void => undefined;
const unheard = { onAudio: nothing, onWord: nothing };
const realtimeListener = { onEvent: nothing, onEnded: nothing };
const header = (fields: object): string => Buffer.from(JSON.stringify(fields)).toString("base64url");
const entraAt = (port: number) =>
  createEntraCredential({
    tenantId: "11111111-1111-1111-1111-111111111111",
    clientId: "client",
    clientSecret: "secret",
    isDevelopment: false,
    authority: `https://127.0.0.1:${port}`,
    timeoutMs: shortMs,
  });

const rows: readonly Row[] = [
  ...Object.entries(callRequests).map(([name, request]) => ({
    name: `call automation: ${name}`,
    limitMs: shortMs,
    request: (port: number) =>
      request(
        new AzureCallAutomation({
          access: { connectionString: `endpoint=http://127.0.0.1:${port}/;accesskey=${key}` },
          maxAttempts: 3,
          requestTimeoutMs: shortMs,
          health: { worked: () => undefined, failed: () => undefined },
        }),
      ),
  })),
  ...Object.entries(recordingRequests).map(([name, request]) => ({
    name: `blob storage: ${name}`,
    limitMs: shortMs,
    request: (port: number) =>
      request(
        createBlobRecordingStore({
          access: {
            connectionString: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/a`,
          },
          container: "recordings",
          requestTimeoutMs: shortMs,
        }),
      ),
  })),
  {
    name: "Web PubSub: an update",
    limitMs: 3000,
    request: (port) =>
      createWebPubSubRelay({
        connectionString: `Endpoint=http://127.0.0.1;AccessKey=${key};Version=1.0;Port=${port};`,
      }).send({ sessionId: "session", text: "{}" }),
  },
  {
    name: "Cosmos DB: a list",
    limitMs: 5000,
    request: (port) =>
      createCosmosArchive({
        endpoint: `http://127.0.0.1:${port}`,
        database: "voice",
        tokens: () => () => Promise.resolve("token"),
        scope: "scope",
      }).list({ offset: 0, limit: 1 }),
  },
  {
    name: "App Configuration: the settings",
    limitMs: 5000,
    request: (port) =>
      createAppConfigurationLoader({
        source: { connectionString: `Endpoint=http://127.0.0.1:${port};Id=id;Secret=${key}` },
        clientOptions: { allowInsecureConnection: true },
      })(),
  },
  {
    name: "an issuer's keys",
    limitMs: 3000,
    request: async (port) => {
      const token = await new SignJWT({}).setProtectedHeader({ alg: "HS256", kid: "k" }).sign(Buffer.from(key));
      const rules = { jwksUrl: `http://127.0.0.1:${port}/keys`, issuers: ["i"], audiences: ["a"] };
      return createTokenVerifier(createOutageLog(silentLogger, keysOutage)).verify(
        token.replace(/^[^.]+/, header({ alg: "RS256", kid: "k" })),
        rules,
      );
    },
  },
  {
    name: "a language model",
    limitMs: shortMs,
    request: async (port) => {
      const model = createOpenAiLanguageModel({
        endpoint: `http://127.0.0.1:${port}/v1`,
        credential: { kind: "key", key },
        retry: noRetries,
        firstEventTimeoutMs: shortMs,
        stallTimeoutMs: shortMs,
        ...parts,
      });
      for await (const _event of model.stream(createRequest(), neverAborted));
    },
  },
  {
    name: "speech synthesis of OpenAI",
    limitMs: shortMs,
    request: (port) => {
      const synthesiser = createOpenAiSynthesiser({
        endpoint: `http://127.0.0.1:${port}/v1`,
        credential: { kind: "key", key },
        model: "tts",
        rawRateHz: 24_000,
        retry: noRetries,
        requestTimeoutMs: shortMs,
        ...parts,
      });
      onTestFinished(() => synthesiser.close());
      return synthesiser.synthesise(spoken, unheard, neverAborted);
    },
  },
  {
    name: "a realtime model of OpenAI",
    limitMs: shortMs,
    request: (port) =>
      createOpenAiRealtimeModel({
        baseUrl: `http://127.0.0.1:${port}/v1`,
        model: "gpt-realtime",
        credential: { kind: "key", key },
        retry: noRetries,
        openTimeoutMs: shortMs,
        ...parts,
      }).open(realtimeSettings, realtimeListener, neverAborted),
  },
  {
    name: "Voice Live",
    limitMs: shortMs,
    request: (port) =>
      createVoiceLiveModel({
        endpoint: { url: `http://127.0.0.1:${port}`, model: "gpt-realtime", credential: { kind: "key", key } },
        retry: noRetries,
        openTimeoutMs: shortMs,
        ...parts,
      }).open(realtimeSettings, realtimeListener, neverAborted),
  },
  {
    name: "speech recognition of Azure",
    limitMs: shortMs,
    request: async (port) => {
      const recogniser = createAzureRecogniser({
        endpoint: speechAt(port),
        warm: { size: 0, profile: recognition },
        retry: noRetries,
        connectTimeoutMs: shortMs,
        ...parts,
      });
      onTestFinished(() => recogniser.close());
      const events = { onPartial: nothing, onFinal: nothing, onError: nothing };
      return recogniser.open({ ...recognition, hints: { examples: [], phrases: [] } }, events, neverAborted);
    },
  },
  {
    name: "speech synthesis of Azure",
    limitMs: shortMs,
    request: (port) => {
      const synthesiser = createAzureSynthesiser({
        endpoint: speechAt(port),
        warm: { size: 0, sampleRateHz: 16_000 },
        retry: noRetries,
        requestTimeoutMs: shortMs,
        connectTimeoutMs: shortMs,
        ...parts,
      });
      onTestFinished(() => synthesiser.close());
      return synthesiser.synthesise(spoken, unheard, neverAborted);
    },
  },
  {
    name: "a tool server",
    limitMs: shortMs,
    request: async (port) => {
      const tools = createMcpTools({
        servers: [{ name: "server", url: `http://127.0.0.1:${port}/mcp` }],
        version: "1",
        connectTimeoutMs: shortMs,
        ...parts,
      });
      await tools.start();
      await tools.close();
      return Promise.reject(new Error("tried once"));
    },
  },
];

/** Those that speak TLS, or no HTTP at all: only a peer that never says anything makes sense for them. */
const silentOnly: readonly Row[] = [
  {
    name: "Entra: a token",
    limitMs: shortMs,
    request: (port) => entraAt(port).getToken("scope"),
  },
  {
    name: "Entra: a token for a client of ours",
    limitMs: shortMs,
    request: (port) => entraAt(port).tokenFor("scope")(),
  },
  {
    name: "Web PubSub: a token",
    limitMs: 5000,
    request: (port) =>
      createWebPubSubWatchAccess({ endpoint: `https://127.0.0.1:${port}`, credential: identity }, Date.now).grant(
        "g",
        "s",
      ),
  },
  {
    name: "Redis: the first connection",
    limitMs: 2 * shortMs,
    request: async (port) => {
      const endpoint = {
        host: "127.0.0.1",
        port,
        tls: undefined,
        authentication: { type: "none" },
        connectionTimeoutMs: shortMs,
        operationTimeoutMs: shortMs,
        maxConnections: 1,
      } as const;
      const state = await openRedisState(endpoint, parts, { closeBoundMs: shortMs });
      onTestFinished(() => state.close());
      return state.calls.get("call");
    },
  },
  {
    name: "telemetry at the end of the process",
    limitMs: 2000,
    request: async (port) => {
      const settings = loadSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
      const telemetry = await startOpenTelemetry({ settings, name: "n", version: "1", exportsLogs: true, identity });
      telemetry.count("voice.recoveries");
      await telemetry.close();
      return Promise.reject(new Error("closed"));
    },
  },
];

describe("every request to a service ends", () => {
  let silent: Server;
  let endless: Server;
  let later: Server;

  beforeAll(async () => {
    // Takes whatever comes, and never says a word.
    silent = createTcpServer((socket) => socket.on("error", () => undefined).resume());
    endless = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    later = createHttpServer((request, response) => {
      request.resume();
      response.writeHead(429, { "retry-after": "3600", "retry-after-ms": "3600000" });
      response.end();
    });
    for (const server of [silent, endless, later]) {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }
  });

  afterAll(() => {
    for (const server of [silent, endless, later]) server.close();
  });

  it.concurrent.each([...rows, ...silentOnly])(
    "[LIMIT-1] $name, where nobody answers",
    async ({ limitMs, request }) => {
      expect(await endOf(() => request(portOf(silent)), limitMs)).toBe("refused in time");
    },
  );

  it.concurrent.each(rows)("[LIMIT-1] $name, where the answer does not end", async ({ limitMs, request }) => {
    expect(await endOf(() => request(portOf(endless)), limitMs)).toBe("refused in time");
  });

  it.concurrent.each(rows)(
    "[LIMIT-1] $name, where the service wants to be asked in an hour",
    async ({ limitMs, request }) => {
      expect(await endOf(() => request(portOf(later)), limitMs)).toBe("refused in time");
    },
  );
});

async function endOf(request: () => Promise<unknown>, limitMs: number): Promise<string> {
  let end = `still waiting after ${limitMs} ms`;
  const answer = () =>
    request().then(
      () => (end = "answered"),
      () => (end = "refused in time"),
    );
  await timeOf(answer, limitMs + slackMs);
  return end;
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return address.port;
}
