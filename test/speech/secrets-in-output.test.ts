/**
 * Nothing that is secret or personal reaches what operators and strangers read. Every secret setting holds a marker, a
 * caller says a name, a number and a sentence, every dependency fails in the worst way there is (it sends back all that it
 * was sent), and no marker is in any log line, error body, heartbeat or readiness answer.
 */
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { createAppConfigurationLoader } from "@voice/shared/config/app-configuration";
import type { TokenSource } from "@voice/shared/platform/access-token";
import { loadSettings } from "@voice/shared/config/load";
import { namedSettings } from "@voice/shared/config/settings";
import { createLogger } from "@voice/shared/platform/logger";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { connectBrowser, knock } from "../support/browser-client.ts";
import { requestAs } from "../support/entra-thread.ts";
import { startTestHost } from "../support/test-host.ts";
import { twilioSettings } from "../support/twilio-settings.ts";
import { eventually } from "../support/wait.ts";
import { startTestService } from "../support/test-service.ts";
import type { Service } from "../../local/service.ts";

const secret = "Qx7markerSecretQx7";
const inBase64 = Buffer.from(secret).toString("base64");
const personal = ["Zebulontha", "2025550187", "marmalade penguin"];
const sentence = "My name is Zebulontha, my number is +12025550187, and the marmalade penguin knows it.";
const webhookKey = Buffer.from(`${secret}-${secret}`).toString("base64");
const forbidden = [secret, inBase64, webhookKey, ...personal];

const lines: string[] = [];
const logger = createLogger({
  level: "debug",
  name: "test",
  destination: { write: (line: string) => void lines.push(line) },
});

let echo: Server;
let cache: TcpServer;

function portOf(server: TcpServer): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function listening<S extends TcpServer>(server: S): Promise<S> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}

beforeAll(async () => {
  echo = await listening(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const heard = { url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() };
        response.writeHead(400, {
          "content-type": "application/json",
          "x-heard": encodeURIComponent(heard.body).slice(0, 500),
        });
        response.end(
          JSON.stringify({ error: { message: `You sent ${JSON.stringify(heard)}`, code: "bad", ...heard } }),
        );
      });
    }),
  );
  echo.on("upgrade", (request, socket) => {
    // A refused peer may reset the connection, which is not examined here.
    socket.on("error", () => undefined);
    const body = JSON.stringify({ url: request.url, headers: request.headers });
    socket.end(`HTTP/1.1 401 Unauthorized\r\nX-Heard: ${body}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  // What a cache says that refuses a password; the client library keeps the command with its arguments on the error.
  cache = await listening(
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => socket.write("-WRONGPASS invalid username-password pair or user is disabled.\r\n"));
    }),
  );
});

beforeEach(() => {
  lines.length = 0;
});

afterAll(() => {
  echo.closeAllConnections();
  echo.close();
  cache.close();
});

function secretSettings(): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${portOf(echo)}`;
  return {
    CLOUD_CLIENT_SECRET: secret,
    CLOUD_OPENAI_KEY: secret,
    CLOUD_OPENAI_HEADERS: `x-gateway=${secret}`,
    CLOUD_OPENAI_FALLBACK_KEY: secret,
    OPENAI_API_KEY: secret,
    OPENAI_STT_KEY: secret,
    OPENAI_TTS_KEY: secret,
    CLOUD_SPEECH_KEY: secret,
    CLOUD_SEARCH_KEY: secret,
    CLOUD_VOICELIVE_KEY: secret,
    CLOUD_WEBPUBSUB_CONNECTION_STRING: `Endpoint=${url};AccessKey=${inBase64};Version=1.0;`,
    CLOUD_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=account;AccountKey=${inBase64};BlobEndpoint=${url}/account;`,
    COMM_CONNECTION_STRING: `endpoint=${url}/;accesskey=${inBase64}`,
    COMM_WEBHOOK_SECRET: secret,
    CACHE_PASSWORD: secret,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector=${secret}`,
    TELEPHONY_API_KEY: secret,
    TWILIO_AUTH_TOKEN: secret,
    TOOL_SECRETS: `TOKEN=${secret}`,
    WEBHOOK_URLS: `${url}/hooks?key=${secret}`,
    WEBHOOK_SECRETS: `whsec_${webhookKey}`,
    TELEPHONY_CLIENT_SECRET: inBase64,
    TELEPHONY_KEYS: `*:${secret}:${inBase64}`,
  };
}

/** All but the cache (where it is away, no conversation begins in which anything else could fail) and Twilio, which have tests of their own. */
function failingSettings(): Readonly<Record<string, string>> {
  const url = `http://127.0.0.1:${portOf(echo)}`;
  return {
    PORT: "0",
    CLOUD_OPENAI_ENDPOINT: url,
    CLOUD_OPENAI_FALLBACK_ENDPOINT: url,
    CLOUD_OPENAI_DEPLOYMENT: "model",
    CLOUD_SPEECH_ENDPOINT: url,
    CLOUD_VOICELIVE_ENDPOINT: url,
    CLOUD_VOICELIVE_MODEL: "model",
    COMM_PHONE_NUMBER: "+12025550100",
    COMM_RESOURCE_ID: "99999999-8888-4777-8666-555555555555",
    MCP_SERVERS: JSON.stringify([
      { name: "tools", url: `${url}/mcp?code=${secret}`, headers: { authorization: "Bearer {{ secrets.TOKEN }}" } },
      { name: "keyed", url: `${url}/mcp`, headers: { "x-key": secret } },
      {
        name: "child",
        command: process.execPath,
        args: ["-e", "console.error(process.env.KEY); process.exit(1)", secret],
        env: { KEY: "{{ secrets.TOKEN }}" },
      },
    ]),
    WEBHOOK_PRIVATE_HOSTS: new URL(url).host,
    RECORDING_ENABLED: "true",
    BASE_URL: url,
    STREAMING_HOST_URL: url.replace("http", "ws"),
    CLOUD_CLIENT_ID: "55555555-5555-4555-8555-555555555555",
    CLOUD_TENANT_ID: "11111111-2222-4333-8444-555555555555",
    ...secretSettings(),
    CACHE_PASSWORD: "",
    TWILIO_AUTH_TOKEN: "",
  };
}

/** What strangers and operators are answered, and what the hosts say of themselves. */
async function answersOf({ port, state }: Service): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/v1`;
  const bodies: string[] = [];
  const keep = async (path: string, init?: RequestInit): Promise<void> => {
    const response = await fetch(`${url}${path}`, init);
    const body = await response.text();
    // Only errors and reports are collected: other answers belong to the client that requested them.
    if (response.status >= 400 || /health|ready|readiness|pools|appconfig|system/.test(path)) bodies.push(body);
  };
  for (const path of ["/health", "/ready", "/readiness", "/pools", "/appconfig", "/system", "/sessions", "/agents"])
    await keep(path);
  const json = { "content-type": "application/json" };
  const call = { target_number: "+12025550187", context: { caller_name: "Zebulontha", note: sentence } };
  await keep("/calls/initiate", { method: "POST", headers: json, body: JSON.stringify(call) });
  await keep("/calls/answer", { method: "POST", headers: { ...json, "x-webhook-secret": `${secret}!` }, body: "[{}]" });
  await keep("/agents?session_id=s-1", { method: "POST", headers: json, body: JSON.stringify({ prompt: sentence }) });
  const hosts = await state.hosts.list().catch(() => []);
  return [...bodies, JSON.stringify(hosts)].join("\n");
}

function markersIn(text: string): readonly string[] {
  return forbidden.filter((marker) => text.includes(marker));
}

/** With the line, so that the failure message shows where it comes from. */
function linesWithMarkers(): readonly string[] {
  return lines.filter((line) => markersIn(line).length > 0).map((line) => line.slice(0, 600));
}

function hasLogged(failure: string): boolean {
  return lines.some((line) => line.includes(failure));
}

/** Which of them fails first is a matter of speed, and a conversation that was closed before has asked none of the others. */
const modelsThatFail = [
  ["REALTIME", "the language model answered 400"],
  ["VOICE_LIVE", "the realtime model refused the connection"],
] as const;

describe("secrets and what callers say", () => {
  it("are all tried: every secret setting has a marker", () => {
    const names = namedSettings.filter((setting) => setting.secret).map((setting) => setting.name);
    expect(Object.keys(secretSettings()).toSorted()).toEqual(names.toSorted());
  });

  it("are in no output when speech, models, tools, storage and the communication service fail", async () => {
    const service = await startTestService({ settings: loadSettings(failingSettings()), logger });
    try {
      const socket = `ws://127.0.0.1:${service.port}/api/v1/browser/conversation`;
      // Whose voice has failed is not answered by a model; that has a test of its own.
      for (const [mode, failed] of [["REALTIME", "the speech service refused the connection"], modelsThatFail[1]]) {
        const browser = await connectBrowser(`${socket}?streaming_mode=${mode}`);
        browser.send({ type: "text", text: sentence });
        await eventually(() => browser.of("error").length > 0, "the caller was told");
        await eventually(() => hasLogged(failed), failed);
        await browser.close();
      }
      await knock(`ws://127.0.0.1:${service.port}/api/v1/telephony/stream`, { "x-api-key": `${secret}?` });
      expect(markersIn(await answersOf(service))).toEqual([]);
      for (const failed of [
        "tool server is not connected",
        "the live relay does not accept updates",
        "the storage of the recordings failed",
        "a call could not be begun",
        "a webhook's receiver did not accept it",
      ])
        await eventually(() => hasLogged(failed), failed);
    } finally {
      await service.close(0);
    }
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when the language model of Azure OpenAI says what it was sent", async () => {
    const url = `http://127.0.0.1:${portOf(echo)}`;
    const settings = loadSettings({
      PORT: "0",
      CLOUD_OPENAI_ENDPOINT: url,
      CLOUD_OPENAI_FALLBACK_ENDPOINT: url,
      CLOUD_OPENAI_DEPLOYMENT: "model",
      CLOUD_OPENAI_KEY: secret,
      CLOUD_OPENAI_HEADERS: `x-gateway=${secret}`,
      CLOUD_OPENAI_FALLBACK_KEY: secret,
    });
    const service = await startTestService({ settings, logger });
    try {
      const [mode, failed] = modelsThatFail[0];
      const browser = await connectBrowser(
        `ws://127.0.0.1:${service.port}/api/v1/browser/conversation?streaming_mode=${mode}`,
      );
      browser.send({ type: "text", text: sentence });
      await eventually(() => hasLogged(failed), failed);
      await eventually(() => browser.of("error").length > 0, "the caller was told");
      await browser.close();
      expect(markersIn(await answersOf(service))).toEqual([]);
    } finally {
      await service.close(0);
    }
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when OpenAI, or a server that speaks as it does, says what it was sent", async () => {
    const url = `http://127.0.0.1:${portOf(echo)}/v1`;
    const settings = loadSettings({
      PORT: "0",
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: url,
      OPENAI_CHAT_MODEL: "model",
      OPENAI_STT_KEY: secret,
      OPENAI_STT_BASE_URL: url,
      OPENAI_STT_MODEL: "model",
      OPENAI_TTS_KEY: secret,
      OPENAI_TTS_BASE_URL: url,
      OPENAI_TTS_MODEL: "model",
      OPENAI_REALTIME_MODEL: "model",
    });
    const service = await startTestService({ settings, logger });
    try {
      for (const [mode, failed] of modelsThatFail) {
        const socket = `ws://127.0.0.1:${service.port}/api/v1/browser/conversation?streaming_mode=${mode}`;
        const browser = await connectBrowser(socket);
        browser.send({ type: "text", text: sentence });
        await eventually(() => browser.of("error").length > 0, "the caller was told");
        await eventually(() => hasLogged(failed), "the model has failed");
        await browser.close();
      }
      expect(markersIn(await answersOf(service))).toEqual([]);
    } finally {
      await service.close(0);
    }
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when Twilio says what it was sent, and when somebody claims to be Twilio", async () => {
    const settings = loadSettings({
      PORT: "0",
      ...twilioSettings,
      TWILIO_AUTH_TOKEN: secret,
      TWILIO_API_URL: `http://127.0.0.1:${portOf(echo)}`,
    });
    const service = await startTestService({ settings, logger });
    try {
      const answers = await answersOf(service);
      const forged = await fetch(`http://127.0.0.1:${service.port}/api/v1/calls/twilio/voice`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": secret },
        body: new URLSearchParams({ From: "+12025550187", CallSid: `CA${"0".repeat(32)}` }),
      });
      expect(forged.status).toBe(401);
      await eventually(() => hasLogged("looking for a call failed"), "the call has failed");
      expect(markersIn(answers + (await forged.text()))).toEqual([]);
    } finally {
      await service.close(0);
    }
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when the cache refuses the password", async () => {
    const settings = loadSettings({
      PORT: "0",
      CACHE_HOST: "127.0.0.1",
      CACHE_PORT: String(portOf(cache)),
      CACHE_USERNAME: "app",
      CACHE_PASSWORD: secret,
      CACHE_TLS: "false",
    });
    const outcome = await startTestService({ settings, logger }).then(
      async (service) => {
        const answers = await answersOf(service);
        await service.close(0);
        return answers;
      },
      (error: unknown) => (error instanceof Error ? `${error.message} ${error.stack}` : "not started"),
    );
    expect(lines.join("")).toContain("WRONGPASS");
    expect(markersIn(outcome)).toEqual([]);
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when the configuration store, the document store or the identity provider says what it was sent", async () => {
    const endpoint = `http://127.0.0.1:${portOf(echo)}`;
    const identity = { IDENTITY_ENDPOINT: `${endpoint}/identity`, IDENTITY_HEADER: secret };
    const database = secret;
    const asMachine = await requestAs(identity, {
      scope: `${endpoint}/.default`,
      tokens: 1,
      archive: { endpoint, database, sessionId: sentence },
    });
    expect(asMachine).toMatchObject({ tokens: [], lines: { length: 2 } });
    lines.push(...asMachine.lines);
    const tokens: TokenSource = () => () => Promise.resolve(secret);
    const archive = createCosmosArchive({ endpoint, database, tokens, scope: `${endpoint}/.default` });
    const loader = createAppConfigurationLoader({
      source: { connectionString: `Endpoint=${endpoint};Id=${secret};Secret=${inBase64}` },
      label: secret,
      clientOptions: { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } },
    });
    const attempts: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["the document store refused", () => archive.conversationsOf(sentence)],
      ["the configuration store refused", () => loader()],
    ];
    const failures = await Promise.all(
      attempts.map(async ([what, attempt]) => {
        const error = await attempt().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        logger.error({ error, code: toVoiceError(error).code }, what);
        return error;
      }),
    );
    expect(failures.every((failure) => failure instanceof Error)).toBe(true);
    expect(lines).toHaveLength(asMachine.lines.length + attempts.length);
    expect(linesWithMarkers()).toEqual([]);
  });

  it("are in no output when the document store refuses a conversation", async () => {
    const failure = (): never => {
      const cause = Object.assign(new Error("refused"), { headers: { authorization: secret }, body: { sentence } });
      throw new VoiceError("upstream_unavailable", "the document store refused", { cause, retryable: false });
    };
    const host = await startTestHost({
      logger,
      archive: {
        keep: async () => failure(),
        conversationsOf: async () => failure(),
        read: async () => failure(),
        list: async () => failure(),
        forget: async () => failure(),
      },
    });
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
    await browser.ask(sentence);
    await browser.close();
    await host.close();
    expect(lines.join("")).toContain("a conversation waits until it can be archived");
    expect(linesWithMarkers()).toEqual([]);
  });
});
