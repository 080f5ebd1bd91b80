/** The doctor over services that are well, and over the same services with the mistakes that a first set-up makes. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { examine } from "@voice/local/doctor/examine";
import { startIdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { startSpeechEmulator } from "@voice/local/emulators/speech/emulator";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { startVoiceLiveEmulator } from "@voice/local/emulators/voice-live/emulator";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { serveExampleOverHttp } from "@voice/local/mcp-example";
import type { Finding } from "@voice/local/doctor/check";
import type { Environment } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { afterEach, describe, expect, it } from "vitest";
import { FakeRealtimeModel } from "@voice/streaming-host/testing/fake-realtime-model";
import { createCertificates } from "../support/certificates.ts";
import { isOpensslAvailable, isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTestHost } from "../support/test-host.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function look(environment: Environment): Promise<ReadonlyMap<string, Finding>> {
  const findings = await examine(environment, systemClock);
  return new Map(findings.map((finding) => [finding.name, finding]));
}

async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

it("has nothing to ask where nothing is configured", async () => {
  expect(await examine({}, systemClock)).toEqual([
    { name: "settings", ok: true, detail: "complete for development", tookMs: 0 },
  ]);
});

it("names every setting that is missing, and asks nobody", async () => {
  const findings = await examine({ CLOUD_OPENAI_KEY: "k", CACHE_PASSWORD: "p" }, systemClock);
  expect(findings.map(({ ok, detail }) => [ok, detail])).toEqual([
    [false, "CLOUD_OPENAI_ENDPOINT is missing: CLOUD_OPENAI_KEY is set and needs it"],
    [false, "CLOUD_OPENAI_DEPLOYMENT is missing: CLOUD_OPENAI_KEY is set and needs it"],
    [false, "CACHE_HOST is missing: CACHE_PASSWORD is set and needs it"],
  ]);
});

it("[MAKER-5] finds what a start would refuse: a scenario, a host and a secret that are not there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "doctor-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const files = {
    "agents/desk/agent.yaml": "description: A desk.\ntools: [order_status]\n",
    "agents/desk/prompt.md": "You are a desk.\n",
    "tools/order_status.yaml":
      "description: Looks an order up.\nrequest:\n  method: GET\n  url: https://orders.example.com/x\n  headers: { Authorization: '{{ secrets.ORDERS }}' }\n",
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const findings = await examine({ CATALOG_DIR: folder, AGENT_SCENARIO: "clinc" }, systemClock);
  expect(findings.filter(({ ok }) => !ok).map(({ detail }) => detail)).toEqual([
    'AGENT_SCENARIO: there is no scenario "clinc" (there are default)',
    'TOOL_HOSTS: tools/order_status.yaml calls "orders.example.com", which is not among them',
    "TOOL_SECRETS: tools/order_status.yaml names secrets.ORDERS, which is not among them",
  ]);
});

it("[MAKER-6] finds a voice that the service does not have, and suggests the path that OPENAI_BASE_URL lacks", async () => {
  const voices = new Set(["en-US-AvaMultilingualNeural"]);
  const parts = { recogniser: createScriptedRecogniser(), synthesiser: createToneSynthesiser(), key: "k", voices };
  const speech = await startSpeechEmulator(parts);
  cleanups.push(() => speech.close());
  const model = await serve((_request, response) => void response.writeHead(404).end("{}"));
  const findings = await look({
    CLOUD_SPEECH_ENDPOINT: speech.endpoint.replace(/^ws/, "http"),
    CLOUD_SPEECH_KEY: "k",
    TTS_VOICE: "en-US-AvaMultilingualNueral",
    OPENAI_BASE_URL: model,
    OPENAI_CHAT_MODEL: "gpt",
  });
  expect(findings.get("voice en-US-AvaMultilingualNueral")).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/refused/),
    advice: expect.stringContaining("spelled right"),
  });
  expect(findings.get("model gpt")?.advice).toContain(`is it ${model}/v1?`);
});

describe("the language model", () => {
  const respond = (calls: boolean) =>
    startOpenAiEmulator({
      key: "the right key",
      clock: systemClock,
      respond: (request) =>
        Promise.resolve({
          kind: "completion",
          text: calls ? [] : ["I am well."],
          toolCalls: calls ? [{ id: "1", name: request.tools?.[0]?.function.name ?? "", argumentsJson: "{}" }] : [],
        }),
    });

  async function ask(key: string, calls: boolean): Promise<Finding | undefined> {
    const emulator = await respond(calls);
    cleanups.push(() => emulator.close());
    const settings = { CLOUD_OPENAI_ENDPOINT: emulator.baseUrl, CLOUD_OPENAI_DEPLOYMENT: "gpt" };
    return (await look({ ...settings, CLOUD_OPENAI_KEY: key })).get("model gpt");
  }

  it("is well when it calls the tool that it is asked to call", async () => {
    expect(await ask("the right key", true)).toMatchObject({ ok: true });
  });

  it("is found not to call tools", async () => {
    expect(await ask("the right key", false)).toMatchObject({
      ok: false,
      detail: "it answers, and does not call tools",
    });
  });

  it("is found to refuse the key, which the report does not repeat", async () => {
    const finding = await ask("a wrong key", true);
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining("answered 401") });
    expect(finding?.advice).toContain("CLOUD_OPENAI_KEY");
    expect(JSON.stringify(finding)).not.toContain("a wrong key");
  });
});

describe("the realtime model", () => {
  /** It repeats what it has said itself, as far as it knows that. */
  async function memoryOf(model: string, remembers = true): Promise<Finding | undefined> {
    const emulator = await startVoiceLiveEmulator({
      recogniser: createScriptedRecogniser(),
      synthesiser: createToneSynthesiser(),
      respond: ({ messages }) => {
        const said = messages.find(({ role }) => role === "assistant")?.content;
        return { kind: "completion", text: remembers && typeof said === "string" ? said : "I do not know." };
      },
      key: "k",
    });
    cleanups.push(() => emulator.close());
    const environment = {
      CLOUD_VOICELIVE_ENDPOINT: emulator.endpoint,
      CLOUD_VOICELIVE_MODEL: model,
      CLOUD_VOICELIVE_KEY: "k",
    };
    return (await look(environment)).get("memory of the realtime model");
  }

  it.each(["gpt-4.1", "gpt-realtime-2.1"])(
    "[RT-5] is well if it knows what it had asked, as %s does",
    async (model) => {
      expect(await memoryOf(model)).toMatchObject({ ok: true });
    },
  );

  it("[RT-5] is found to have forgotten what it had asked", async () => {
    expect(await memoryOf("gpt-4.1", false)).toMatchObject({
      ok: false,
      detail: expect.stringContaining("does not know what it had asked"),
    });
  });
});

it("finds each server of OpenAI's protocol well or not, and repeats no key", async () => {
  const scripted = createScriptedRecogniser();
  scripted.script("hello");
  const audio = { recogniser: scripted, synthesiser: createToneSynthesiser() };
  const emulator = await startOpenAiEmulator({ audio, key: "the right key" });
  cleanups.push(() => emulator.close());
  const settings = { OPENAI_BASE_URL: emulator.baseUrl, OPENAI_TTS_MODEL: "kokoro" };
  const well = await look({ ...settings, OPENAI_API_KEY: "the right key" });
  expect(well.get("speech synthesis")).toMatchObject({ ok: true, detail: expect.stringContaining('said "Hello."') });
  const wrong = await look({ ...settings, OPENAI_API_KEY: "a wrong key" });
  expect(wrong.get("speech synthesis")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("answered 401"),
    advice: expect.stringContaining("OPENAI_TTS_KEY"),
  });
  expect(JSON.stringify([...wrong.values()])).not.toContain("a wrong key");
});

it("[MODEL-11] says what a model's server refuses, and what is done about it", async () => {
  const emulator = await startOpenAiEmulator({
    server: "claude",
    respond: ({ tools = [] }) => ({
      kind: "completion",
      toolCalls: tools.map(({ function: { name } }) => ({ name, argumentsJson: "{}" })),
    }),
  });
  cleanups.push(() => emulator.close());
  const findings = await look({ OPENAI_BASE_URL: emulator.baseUrl, OPENAI_CHAT_MODEL: "claude" });
  expect(findings.get("model claude")).toMatchObject({
    ok: true,
    detail: expect.stringContaining("refused a request until this was changed: top_p is left out beside temperature"),
  });
});

describe("the addresses", () => {
  it("are well when the API answers and the host upgrades", async () => {
    const host = await startTestHost();
    cleanups.push(() => host.close());
    const api = await serve((_request, response) => void response.writeHead(200).end("{}"));
    const streaming = new URL(host.url("/")).origin;
    const findings = await look({ BASE_URL: api, STREAMING_HOST_URL: streaming });
    expect(findings.get("API from outside")).toMatchObject({ ok: true });
    expect(findings.get("sockets from outside")).toMatchObject({ ok: true });
  });

  it("are found to lead to an app that its settings stop, and that upgrades nothing", async () => {
    const api = await serve((_request, response) => void response.writeHead(503).end("{}"));
    const findings = await look({ BASE_URL: api });
    expect(findings.get("API from outside")).toMatchObject({ ok: false, detail: "answered 503" });
    expect(findings.get("sockets from outside")?.ok).toBe(false);
  });
});

describe("who may call", () => {
  const clientId = "22222222-2222-4222-8222-222222222222";

  it("is proved by keys that can be had, for an audience that is set", async () => {
    const issuer = await startIdentityEmulator();
    cleanups.push(() => issuer.close());
    const settings = {
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: clientId,
      CLOUD_TENANT_ID: issuer.tenantId,
      ALLOWED_CLIENT_IDS: clientId,
      AUTH_JWKS_URL: issuer.entra.jwksUrl,
    };
    const well = await look(settings);
    expect(well.get("callers' tokens")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(`for ${clientId} or api://${clientId}.*from 1 client`),
    });
    expect(well.get("keys of the callers' issuer")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^1 keys at/),
    });
    issuer.failWith(404);
    const wrong = await look({ ...settings, BACKEND_AUTH_CLIENT_ID: "voice-api" });
    expect(wrong.get("callers' tokens")).toMatchObject({
      ok: false,
      detail: "BACKEND_AUTH_CLIENT_ID is not a valid GUID",
    });
    expect(wrong.get("keys of the callers' issuer")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/answered 404$/),
      advice: expect.stringContaining("AUTH_JWKS_URL"),
    });
  });

  it("connects like a telephony platform, with a key that the hosts know and a signature by its secret", async () => {
    const organization = "33333333-3333-4333-8333-333333333333";
    const secret = Buffer.from("the secret of the platform").toString("base64");
    const keys = { TELEPHONY_API_KEY: "the-single-key", TELEPHONY_KEYS: `${organization}:listed-key-1:${secret}` };
    const host = await startTestHost({
      settings: keys,
      providers: { realtimeModel: new FakeRealtimeModel() },
      // Signatures are valid for seconds of the time that everybody has.
      clock: systemClock,
    });
    cleanups.push(() => host.close());
    const addresses = { BASE_URL: "http://127.0.0.1:9", STREAMING_HOST_URL: new URL(host.url("/")).origin };
    const well = await look({ ...keys, ...addresses });
    expect(well.get("telephony bridge, TELEPHONY_API_KEY")).toMatchObject({
      ok: true,
      detail: "lets any organization in, without a signature",
    });
    expect(well.get("telephony bridge, TELEPHONY_KEYS (1)")).toMatchObject({
      ok: true,
      detail: `lets organization ${organization} in, signed`,
    });
    const otherSecret = Buffer.from("another secret altogether").toString("base64");
    const wrong = await look({ ...addresses, TELEPHONY_KEYS: `${organization}:listed-key-1:${otherSecret}` });
    const finding = wrong.get("telephony bridge, TELEPHONY_KEYS (1)");
    expect(finding).toMatchObject({ ok: false, detail: "is refused with 401" });
    expect(JSON.stringify([...wrong.values()])).not.toContain(otherSecret);
    const unplaced = await look({ TELEPHONY_API_KEY: "the-single-key" });
    expect(unplaced.get("telephony bridge, TELEPHONY_API_KEY")).toMatchObject({
      ok: true,
      detail: expect.stringContaining("not tried"),
    });
  });
});

it("connects to every tool server, and says why one cannot be had, without its secret", async () => {
  const { url, close } = await serveExampleOverHttp();
  cleanups.push(close);
  const elsewhere = await serve((_request, response) => response.writeHead(404).end("hunter2hunter2"));
  const servers = [
    { name: "exchange", url },
    { name: "elsewhere", url: `${elsewhere}/`, headers: { authorization: "Bearer {{ secrets.SHOP_KEY }}" } },
    { name: "nowhere", command: "no-such-command" },
  ];
  const found = await look({ MCP_SERVERS: JSON.stringify(servers), TOOL_SECRETS: "SHOP_KEY=hunter2hunter2" });
  expect(found.get("tool server exchange")).toMatchObject({ ok: true, detail: "has 2 tools" });
  const { ok, detail, advice } = found.get("tool server elsewhere") ?? {};
  expect({ ok, detail }).toEqual({ ok: false, detail: expect.stringMatching(/^it answered 404 /) });
  expect(advice).toContain("the url of elsewhere in MCP_SERVERS");
  expect(found.get("tool server nowhere")).toMatchObject({ ok: false, detail: "command not found: no-such-command" });
  expect(JSON.stringify([...found])).not.toContain("hunter2");
});

it("says at once that recordings cannot be kept in a folder that cannot be made", async () => {
  const finding = (await look({ RECORDING_ENABLED: "true", RECORDING_DIR: "/proc/x" })).get("recordings");
  expect(finding).toMatchObject({
    ok: false,
    detail: expect.stringContaining("the folder of the recordings cannot be made"),
    advice: expect.stringContaining("RECORDING_DIR"),
  });
});

describe.runIf(isRedisAvailable())("Redis", () => {
  it("is well, and said to be of which version", async () => {
    const redis = await startRedisServer();
    cleanups.push(() => redis.stop());
    const settings = { CACHE_HOST: "127.0.0.1", CACHE_PORT: String(redis.port) };
    const finding = (await look(settings)).get("Redis");
    expect(finding).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Redis \d+\.\d+.*one server; wrote and read/),
    });
  });

  it("is found to refuse the password, which the report does not repeat", async () => {
    const redis = await startRedisServer({ args: ["--requirepass", "hunter1"], client: { password: "hunter1" } });
    cleanups.push(() => redis.stop());
    const settings = { CACHE_HOST: "127.0.0.1", CACHE_PORT: String(redis.port), CACHE_PASSWORD: "hunter2" };
    const finding = (await look(settings)).get("Redis");
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining("WRONGPASS") });
    expect(JSON.stringify(finding)).not.toContain("hunter");
  });

  it.runIf(isOpensslAvailable())("says where the certificate of an authority of one's own belongs", async () => {
    const { caFile, certFile, keyFile, ca, remove } = createCertificates();
    const files = ["--tls-ca-cert-file", caFile, "--tls-cert-file", certFile, "--tls-key-file", keyFile];
    const redis = await startRedisServer({ args: [...files, "--tls-auth-clients", "no"], client: { tls: { ca } } });
    cleanups.push(
      async () => remove(),
      async () => redis.stop(),
    );
    const settings = { CACHE_HOST: "127.0.0.1", CACHE_PORT: String(redis.port), CACHE_TLS: "true" };
    expect((await look(settings)).get("Redis")).toMatchObject({
      ok: false,
      detail: expect.stringContaining("certificate"),
      advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  });

  it("is found not to be there", async () => {
    const finding = (await look({ CACHE_HOST: "127.0.0.1", CACHE_PORT: "9" })).get("Redis");
    expect(finding).toMatchObject({ ok: false, detail: expect.stringContaining("ECONNREFUSED") });
  });
});
