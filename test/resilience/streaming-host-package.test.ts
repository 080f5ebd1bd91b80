/** The package of the streaming host, in a folder that has never seen this repository, on plain Node. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { heapFlags } from "../../local/package/heap-flags.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { freePort } from "../support/free-port.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";
import { createRestartableProcess, type RestartableProcess } from "../support/restartable-process.ts";
import { packagedCommit, placePackage } from "../support/made-packages.ts";

const nobody = "http://127.0.0.1:9";
const cloud = {
  CLOUD_SPEECH_ENDPOINT: nobody,
  CLOUD_SPEECH_KEY: "key",
  CLOUD_OPENAI_ENDPOINT: nobody,
  CLOUD_OPENAI_KEY: "key",
  CLOUD_OPENAI_DEPLOYMENT: "deployment",
};
/** All that the cloud can do for a host. */
const wholeCloud = {
  ...cloud,
  CLOUD_VOICELIVE_ENDPOINT: nobody,
  CLOUD_VOICELIVE_KEY: "key",
  CLOUD_VOICELIVE_MODEL: "model",
  COMM_CONNECTION_STRING: `endpoint=${nobody}/;accesskey=a2V5`,
  COMM_PHONE_NUMBER: "+12025550100",
  BASE_URL: "https://voice.example.com",
  STREAMING_HOST_URL: "wss://voice.example.com",
  COMM_WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
  CLOUD_WEBPUBSUB_ENDPOINT: nobody,
  CLOUD_STORAGE_ENDPOINT: nobody,
  CLOUD_DOCSTORE_ENDPOINT: nobody,
  CLOUD_DOCSTORE_DATABASE: "voice",
  TELEMETRY: "otlp,application-insights",
  OTEL_EXPORTER_OTLP_ENDPOINT: nobody,
  APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=00000000-0000-0000-0000-000000000000;IngestionEndpoint=${nobody}/`,
  APPLICATIONINSIGHTS_STATSBEAT_DISABLED: "true",
};

let folder: string;

const madePackages = new Map<string, string>();

/** Places each package once: the tests only read it. */
function makePackage(flag: "--no-local-speech" | "--source-maps"): string {
  const made = madePackages.get(flag) ?? placePackage("streaming-host", path.join(folder, flag), flag);
  madePackages.set(flag, made);
  return made;
}

async function hostOf(
  made: string,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<RestartableProcess> {
  const port = await freePort();
  const [script, ...args] = [...flags, path.join(made, "main.mjs")];
  return createRestartableProcess({
    what: "the packaged host",
    port,
    script,
    args,
    environment: { PORT: `${port}`, VAD_TIMEOUT_MS: "10000", ...environment },
    readyPath: "/healthz",
  });
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "host-package-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packaged streaming host", () => {
  it("[CODE-3] [PROVIDER-3] holds a conversation with the speech that it brings along, and runs code of one's own", async () => {
    const made = path.dirname(inject("packages").host);
    expect(readdirSync(made).filter((name) => name.endsWith(".map"))).toEqual([]);
    const host = await hostOf(made, { LOCAL_NOISE_SUPPRESSION: "true" });
    const voice = await createLocalSynthesiser();
    try {
      await host.start();
      const health = await fetch(`http://127.0.0.1:${host.port}/healthz`);
      expect(await health.json()).toEqual({ status: "ok", version: "1.0.0", commit: packagedCommit });
      await expectConsole(`http://127.0.0.1:${host.port}`);
      using caller = await connectCaller({ url: new URL(`ws://127.0.0.1:${host.port}/api/v1/browser/conversation`) });
      await caller.waitForReply();
      await caller.speak(
        await speakText(voice, { text: "I want to check my balance", voice: "slt", sampleRateHz: 16_000 }),
      );
      const reply = await caller.waitForReply();
      expect(reply.heardText).toBe("i want to check my balance");
      expect(reply.says.at(-1)?.text).toBe("Sure. Checking or savings?");
      caller.close();
      expect(await host.stop()).toBe(0);
    } finally {
      await host.kill();
      await voice.close();
    }
    await expectOwnCode(made);
  });

  describe("without local speech", () => {
    it("has neither its engines nor its models", () => {
      const made = makePackage("--no-local-speech");
      const packages = readdirSync(path.join(made, "node_modules"), { recursive: true }).map(String);
      expect(packages.filter((name) => /soundswallower|flite|rnnoise/.test(name))).toEqual([]);
      expect(existsSync(path.join(made, "recognition-worker.mjs"))).toBe(false);
    });

    it("says what is missing where no speech of the cloud is set", async () => {
      const host = await hostOf(makePackage("--no-local-speech"), {});
      await expect(host.start()).rejects.toThrow("the packaged host ended with 1");
    });
  });

  it.runIf(process.platform === "linux" && isRedisAvailable())(
    "holds little memory while nobody calls, with every service in the cloud",
    async () => {
      // Of a process that does nothing: how much of it is Node itself differs between machines.
      const nothing = spawn(process.execPath, ["--eval", "console.log(1); setInterval(() => {}, 1e6)"]);
      const redis = await startRedisServer();
      const cache = { CACHE_HOST: "127.0.0.1", CACHE_PORT: `${redis.port}`, CACHE_TLS: "false" };
      const host = await hostOf(makePackage("--no-local-speech"), { ...wholeCloud, ...cache }, heapFlags);
      try {
        await once(nothing.stdout, "data");
        await host.start();
        // What the first heartbeats and exports load comes after the start, and stays.
        await sleep(10_000);
        // 90 MB where it was measured (docs/operations.md), 14 of them for the model that confirms speech. On a busy machine the collector
        // takes its time to give pages back.
        await expect.poll(() => ownMemoryMb(host.pid) - ownMemoryMb(nothing.pid)).toBeLessThan(100);
      } finally {
        await host.kill();
        await redis.stop();
        nothing.kill();
      }
    },
  );

  it("starts with the cloud's speech, fails the platform's probe while its loop hangs, and answers again when that is over", async () => {
    const made = makePackage("--no-local-speech");
    const hook = path.join(folder, "hang-on-signal.mjs");
    const hangMs = 6000;
    writeFileSync(
      hook,
      `process.on("SIGUSR2", () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${hangMs}); });`,
    );
    const host = await hostOf(made, cloud, ["--import", hook]);
    const probe = async (timeoutMs: number) =>
      (await fetch(`http://127.0.0.1:${host.port}/healthz`, { signal: AbortSignal.timeout(timeoutMs) })).ok;
    try {
      await host.start();
      expect(await probe(10_000)).toBe(true);
      host.signal("SIGUSR2");
      // The shortest of the platforms' limits; the loop hangs for longer than any of them waits.
      await eventually(async () => !(await probe(2000).catch(() => false)), "a probe is not answered");
      await eventually(() => probe(2000).catch(() => false), "probes are answered again");
    } finally {
      await host.kill();
    }
  });

  it("reads nothing that its settings do not ask for", async () => {
    const made = makePackage("--source-maps");
    const loaded = path.join(folder, "loaded.txt");
    const hook = path.join(folder, "note-what-is-loaded.mjs");
    writeFileSync(
      hook,
      `import { appendFileSync } from "node:fs";
       import { registerHooks } from "node:module";
       registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + "\\n"); return next(url, context); } });`,
    );
    const host = await hostOf(made, cloud, ["--import", hook]);
    try {
      await host.start();
    } finally {
      await host.kill();
    }
    const sources = readFileSync(loaded, "utf8")
      .split("\n")
      .filter((url) => url.startsWith("file:") && !url.endsWith(path.basename(hook)))
      .flatMap(sourcesOf);
    expect(sources.join("\n")).toContain("providers/azure/recogniser.ts");
    const unwanted =
      /soundswallower|flite|local-recogniser|local-synthesiser|rule-model\/|modelcontextprotocol|ioredis|@azure\/(identity|storage-blob|cosmos|web-pubsub|communication|msal)|voice-live\/|@opentelemetry\/(sdk|exporter)/;
    expect(sources.filter((source) => unwanted.test(source))).toEqual([]);
  });
});

/** A tool and a voice of one's own import what the package brings along. */
async function expectOwnCode(made: string): Promise<void> {
  const own = path.join(folder, "own");
  const write = (name: string, text: string): void => {
    mkdirSync(path.join(own, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(own, name), text);
  };
  write(
    "tools/order-status.mjs",
    `import { defineTool } from "@voice/tool-kit";
     import { z } from "zod";
     const parameters = z.object({ order: z.string() });
     export default defineTool({ name: "order_status", description: "Looks.", parameters, run: () => ({}) });`,
  );
  // An agent with a tool that nobody defines stops the start.
  write("catalog/agents/waiter/agent.yaml", "description: Waits.\ntools: [order_status]\n");
  write("catalog/agents/waiter/prompt.md", "You wait.");
  write(
    "voice.mjs",
    `import { defineSynthesiser, emptyPool } from "@voice/provider-kit";
     export default defineSynthesiser({ name: "square", create: () => ({
       async synthesise({ sampleRateHz }, { onAudio }) { onAudio(new Int16Array(sampleRateHz).fill(5000)); },
       pool: () => ({ ...emptyPool, ready: true }),
       close: async () => {},
     }) });`,
  );
  const host = await hostOf(made, {
    TOOLS_DIR: path.join(own, "tools"),
    CATALOG_DIR: path.join(own, "catalog"),
    SYNTHESISER_MODULE: path.join(own, "voice.mjs"),
    // Nobody speaks: the models that hear callers and understand them take two thirds of a start, and the host above has loaded them.
    LOCAL_OPEN_VOCABULARY: "false",
    LOCAL_SENTENCE_MEANING: "false",
    VAD_MODEL_ENABLED: "false",
  });
  try {
    await host.start();
    using caller = await connectCaller({ url: new URL(`ws://127.0.0.1:${host.port}/api/v1/browser/conversation`) });
    expect((await caller.waitForReply()).says.length).toBeGreaterThan(0);
  } finally {
    await host.kill();
  }
}

/** What a process holds for itself. How many pages of Node's program the system has mapped beside that differs by 10 MB between machines. */
function ownMemoryMb(pid: number | undefined): number {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

/** The page and what it is made of, compressed, and nothing that is for the builder. */
async function expectConsole(origin: string): Promise<void> {
  const page = await fetch(origin);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const assets = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, asset]) => asset ?? "");
  expect(assets.length).toBeGreaterThan(1);
  for (const asset of assets) {
    const { status, headers } = await fetch(origin + asset, { headers: { "accept-encoding": "br" } });
    expect({ status, encoding: headers.get("content-encoding") }).toEqual({ status: 200, encoding: "br" });
    expect((await fetch(`${origin}${asset}.map`)).status).toBe(404);
  }
  expect((await fetch(`${origin}/built-from.txt`)).status).toBe(404);
}

/** The files that a file of the package was made of, by its source map. */
function sourcesOf(url: string): readonly string[] {
  const map = new URL(`${url}.map`);
  if (!existsSync(map)) return [url];
  const parsed: unknown = JSON.parse(readFileSync(map, "utf8"));
  const sources: unknown = typeof parsed === "object" && parsed !== null && "sources" in parsed ? parsed.sources : [];
  return Array.isArray(sources) ? sources.map(String) : [];
}
