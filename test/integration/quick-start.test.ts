/** `npm start` from the bundle of its sources. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeFreshBundle, repository } from "../../local/quick-start/bundle.ts";
import { makeBundle, unlessRefused } from "../../local/quick-start/make-bundle.ts";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";

/** Packages are found from here as they are from the place of the real ones. */
const bundles = mkdtempSync(path.join(repository, "node_modules/.cache-quick-start-"));
const loadedModules = path.join(bundles, "modules.txt");
let entry: string | undefined;
let started: ServerProcess;

beforeAll(async () => {
  await makeBundle(bundles);
  entry = takeFreshBundle(bundles);
  const record = new URL("../support/loaded-modules.ts", import.meta.url).href;
  started = await startServerProcess(entry ?? "", [], { PORT: "0", LOADED_MODULES: loadedModules, LOG_LEVEL: "warn" }, [
    "--import",
    record,
  ]);
});

afterAll(async () => {
  await started.stop();
  rmSync(bundles, { recursive: true });
});

it("serves what the sources serve: pages, the API, its documents and the agents of the demonstration", async () => {
  for (const place of ["/", "/api/v1/health", "/docs", "/api/v1/agents"])
    expect((await fetch(`${started.url}${place}`)).status).toBe(200);
  const agents = await (await fetch(`${started.url}/api/v1/agents`)).text();
  expect(agents).toContain("front-desk");
});

it("loads nothing of the sources, in no thread", () => {
  const loaded = readFileSync(loadedModules, "utf8").split("\n");
  const sources = loaded.filter((line) => line.endsWith(".ts") && !line.endsWith("/test/support/loaded-modules.ts"));
  expect(sources).toEqual([]);
  expect(loaded.length).toBeLessThan(400);
});

it("has a map to the sources for every file of code", () => {
  const folder = path.dirname(entry ?? "");
  const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  for (const name of files) {
    const text = readFileSync(path.join(folder, name), "utf8");
    if (text.startsWith("process.setSourceMapsEnabled(true);")) continue;
    expect(text).toContain(`//# sourceMappingURL=${name}.map`);
    const map = JSON.parse(readFileSync(path.join(folder, `${name}.map`), "utf8")) as { readonly sources: string[] };
    for (const source of map.sources.filter((place) => place.endsWith(".ts")))
      expect(path.resolve(folder, source).startsWith(repository)).toBe(true);
  }
});

it.each([
  "local-voice-src-recogniser-recognition-worker",
  "local-voice-src-synthesiser-synthesis-worker",
  "streaming-host-src-providers-smart-turn-smart-turn-worker",
])("names the sources where a thread fails, as %s does without its data", async (name) => {
  const thread = new Worker(path.join(path.dirname(entry ?? ""), `${name}.mjs`), { execArgv: [] });
  const [error]: unknown[] = await once(thread, "error");
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  expect(stack).toMatch(/-worker\.ts:\d+:\d+/);
  expect(stack).not.toContain("bundled");
});

it("does without a bundle where nothing may be written, and says what else is wrong", async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  for (const code of ["EACCES", "EPERM", "EROFS"]) await unlessRefused(failing(code));
  await expect(unlessRefused(failing("ENOSPC"))).rejects.toThrow("ENOSPC");
});
