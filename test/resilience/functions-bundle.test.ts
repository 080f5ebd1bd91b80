/** What is deployed, from a folder that has never seen this repository, loaded as the worker loads it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { startIdentityEmulator, type IdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { demoToolsDir } from "@voice/shared/demo/demo";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { packagedCommit, placePackage } from "../support/made-packages.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startFunctionsProcess, type ServerProcess } from "../support/server-process.ts";

let folder: string;
let running: ServerProcess | undefined;
/** Without it, a process that needs a token would look for the managed identity of the machine that runs the tests. */
let identity: IdentityEmulator;

beforeAll(async () => {
  identity = await startIdentityEmulator({ clients: {} });
  folder = placePackage("functions", mkdtempSync(path.join(tmpdir(), "functions-bundle-")));
  running = await startFunctionsProcess(path.join(folder, "main.mjs"), { LOG_LEVEL: "error" });
});

afterAll(async () => {
  await running?.stop();
  await identity.close();
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

async function namesIn(file: string): Promise<readonly string[]> {
  const module: object = await import(pathToFileURL(file).href);
  return Object.keys(module);
}

describe("the bundled functions app", () => {
  it("is complete without node_modules", () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    expect(manifest).toHaveProperty("main", "main.mjs");
    expect(existsSync(path.join(folder, "host.json"))).toBe(true);
    expect(existsSync(path.join(folder, "node_modules"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  it("reads little before the worker knows its functions: the library and where each route stands", () => {
    const read = new Map<string, string>();
    const follow = (name: string): void => {
      if (read.has(name)) return;
      const text = readFileSync(path.join(folder, name), "utf8");
      read.set(name, text);
      for (const [, other] of text.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)) if (other !== undefined) follow(other);
    };
    follow("main.mjs");
    const texts = [...read.values()].join("\n");
    expect(texts).toContain("api/v1/calls/initiate");
    expect(texts).not.toContain("ZodType");
    expect(texts.length).toBeLessThan(200_000);
  });

  it("compiles no parser for its first answer", () => {
    const hook = path.join(path.dirname(folder), "refuse-compiling.mjs");
    writeFileSync(
      hook,
      `globalThis.Function = new Proxy(Function, {
         construct(_target, texts) { process.stderr.write(\`compiled \${texts.at(-1)}\\n\`); process.exit(3); },
       });`,
    );
    const worker = path.join(import.meta.dirname, "../bench/cold-start-worker.cjs");
    const args = ["--import", hook, worker, folder];
    const answer: unknown = JSON.parse(
      execFileSync(process.execPath, args, { encoding: "utf8", env: { LOG_LEVEL: "error" } }),
    );
    expect(answer).toMatchObject({ status: 200 });
  });

  it("has the demonstration's tools as they run, with the service's own zod, because each first answer loads them", async () => {
    const tools = path.join(folder, "demo/tools");
    // One file, because each takes as long as all of them.
    expect(readdirSync(tools)).toEqual(["all.mjs"]);
    const text = readFileSync(path.join(tools, "all.mjs"), "utf8");
    expect(text).not.toMatch(/from ?"zod"/);
    expect(text.length).toBeLessThan(60_000);
    // A name that two of the sources export would be missing.
    const sources = readdirSync(demoToolsDir).filter((name) => name.endsWith(".ts"));
    const exported = await Promise.all(sources.map((name) => namesIn(path.join(demoToolsDir, name))));
    expect((await namesIn(path.join(tools, "all.mjs"))).toSorted()).toEqual(exported.flat().toSorted());
  });

  it("answers as the source does, with the catalog that lies beside it", async () => {
    const health = await fetch(`${running?.url}/api/v1/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({
      status: "healthy",
      version: "1.0.0",
      details: { commit: packagedCommit },
    });
    const agents = await fetch(`${running?.url}/api/v1/agents`);
    expect(await agents.json()).toMatchObject({ status: "success", start_agent: expect.any(String) });
    const profile = await fetch(`${running?.url}/api/v1/profiles/generate`, { method: "POST" });
    expect(await profile.json()).toMatchObject({ profile_id: expect.any(String), name: expect.any(String) });
    const page = await fetch(`${running?.url}/docs`);
    expect(await page.text()).toContain("The script of the /docs page");
    const missing = await fetch(`${running?.url}/missing`);
    expect(await missing.json()).toMatchObject({ type: "not_found" });
  });

  it("[CODE-3] knows tools that are code, which import what the bundle carries for them", async () => {
    const own = path.join(path.dirname(folder), "own");
    const write = (name: string, text: string): void => {
      mkdirSync(path.dirname(path.join(own, name)), { recursive: true });
      writeFileSync(path.join(own, name), text);
    };
    write("tools/package.json", '{ "type": "module" }');
    write(
      "tools/order.ts",
      `import { defineTool } from "@voice/tool-kit";
      import { z } from "zod";
      const parameters = z.object({ order: z.string() });
      export default defineTool({ name: "order_status", description: "Looks.", parameters, run: () => ({}) });`,
    );
    write("catalog/agents/waiter/agent.yaml", "description: Waits.\ntools: [order_status]\n");
    write("catalog/agents/waiter/prompt.md", "You wait.");
    const environment = { TOOLS_DIR: path.join(own, "tools"), CATALOG_DIR: path.join(own, "catalog") };
    const app = await startFunctionsProcess(path.join(folder, "main.mjs"), { LOG_LEVEL: "error", ...environment });
    try {
      const waiter = await fetch(`${app.url}/api/v1/agents/waiter`);
      expect(await waiter.json()).toMatchObject({ tools: ["order_status"] });
    } finally {
      await app.stop();
    }
  });

  it("refuses to work with settings that make no service, and says nothing about them to callers", async () => {
    const broken = await startFunctionsProcess(path.join(folder, "main.mjs"), {
      ENVIRONMENT: "production",
      LOG_LEVEL: "silent",
    });
    try {
      const answer = await fetch(`${broken.url}/api/v1/health`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ type: "dependency_not_ready" });
    } finally {
      await broken.stop();
    }
  });

  it("keeps what exports telemetry in files of its own, which nothing reads where none is wanted", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
    const telemetry = files.filter((name) => name.startsWith("start-open-telemetry-"));
    expect(telemetry).toHaveLength(1);
    const readers = files.filter((name) =>
      new RegExp(`from"\\./${telemetry[0]}"`).test(
        readFileSync(path.join(folder, name), "utf8").replaceAll(/from\s+/g, "from"),
      ),
    );
    expect(readers).toEqual([]);
  });

  it("brings everything that its files import: each of them loads in a folder without node_modules", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".mjs") && name !== "main.mjs");
    expect(files.length).toBeGreaterThan(4);
    const imports = files.map(
      (name) => `await import(${JSON.stringify(pathToFileURL(path.join(folder, name)).href)});`,
    );
    execFileSync(process.execPath, ["--input-type=module", "--eval", imports.join("\n")], { cwd: folder });
  });

  describe("without the services that it is configured for", () => {
    const nobody = "http://127.0.0.1:9";

    /** Started once for all that a test asks: a start takes a second of the processor. */
    async function startWith(environment: Readonly<Record<string, string>>) {
      const app = await startFunctionsProcess(path.join(folder, "main.mjs"), {
        LOG_LEVEL: "silent",
        ...identity.managedIdentity,
        ...environment,
      });
      onTestFinished(() => app.stop());
      return async (method: string, where: string) => {
        const answer = await fetch(`${app.url}/api/v1${where}`, { method });
        return { status: answer.status, body: JSON.stringify(await answer.json()) };
      };
    }

    it("says that the document store is unavailable", async () => {
      const ask = await startWith({ CLOUD_DOCSTORE_ENDPOINT: nobody, CLOUD_DOCSTORE_DATABASE: "voice" });
      const answer = await ask("DELETE", "/sessions/abc");
      expect(answer.status).toBe(502);
      expect(answer.body).toContain('"type":"upstream_unavailable"');
    });

    it("goes on with the environment while App Configuration is away, and says so, and that nothing can be recorded", async () => {
      const account = `DefaultEndpointsProtocol=http;AccountName=voice;AccountKey=c2VjcmV0;BlobEndpoint=${nobody}/voice`;
      const ask = await startWith({
        CLOUD_APPCONFIG_ENDPOINT: "https://127.0.0.1:9",
        RECORDING_ENABLED: "true",
        CLOUD_STORAGE_CONNECTION_STRING: account,
      });
      expect((await ask("GET", "/health")).status).toBe(200);
      const refresh = await ask("POST", "/appconfig/refresh");
      expect(refresh.status).toBe(502);
      expect(refresh.body).toContain('"type":"upstream_unavailable"');
      const { body } = await ask("GET", "/readiness");
      expect(body).toContain("cannot be written: recordings at Blob storage by connection string");
    });
  });

  describe.runIf(isRedisAvailable())("with a Redis that takes tokens alone", () => {
    it("presents the token of its managed identity", async () => {
      const redis = await startRedisServer({
        args: "--user default on nopass -@all +ping +info --user voice on nopass ~* &* +@all --user stranger on >its-own ~* &* +@all".split(
          " ",
        ),
      });
      const settings = { CACHE_HOST: "127.0.0.1", CACHE_PORT: String(redis.port), CACHE_TLS: "false" };
      const start = (environment: Readonly<Record<string, string>>) =>
        startFunctionsProcess(path.join(folder, "main.mjs"), {
          LOG_LEVEL: "silent",
          ...settings,
          ...environment,
        });
      const known = await start({ CACHE_USERNAME: "voice", ...identity.managedIdentity });
      const stranger = await start({ CACHE_USERNAME: "stranger", ...identity.managedIdentity });
      try {
        expect((await fetch(`${known.url}/api/v1/sessions`)).status).toBe(200);
        const refused = await fetch(`${stranger.url}/api/v1/sessions`);
        expect(refused.status).toBe(503);
        expect(await refused.json()).toMatchObject({ type: "cache_connection_failed" });
      } finally {
        await known.stop();
        await stranger.stop();
        await redis.stop();
      }
    });
  });
});
