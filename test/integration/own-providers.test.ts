/** The providers that docs/models.md makes, in folders outside the repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { packageProviderKit } from "@voice/local/package/package-provider-kit";
import { languageModelContract } from "@voice/provider-kit/contracts/language-model.contract";
import type { LanguageModelRig } from "@voice/provider-kit/contracts/language-model.contract";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { describePart } from "@voice/shared/config/describe-parts";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger, silentLogger } from "@voice/shared/platform/logger";
import { afterAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { composeSynthesiser } from "../../streaming-host/src/compose/speech.ts";
import { composeModel, composeProviders } from "../../streaming-host/src/compose/providers.ts";
import { catalogOf } from "../support/built-in-catalog.ts";
import { wordsAlone } from "../support/words-alone.ts";

const root = path.join(import.meta.dirname, "../..");
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "own-provider-"));
  folders.push(folder);
  for (const [name, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files }))
    writeFileSync(path.join(folder, name), text);
  return folder;
}

/** The files that the guide shows for this folder. */
function guide(name: "my-voice" | "my-model"): string {
  const text = readFileSync(path.join(root, "docs/models.md"), "utf8");
  const blocks = [
    ...text.matchAll(new RegExp(`\`${name}/(\\S+\\.(?:ts|json))\`:\\n\\n\`\`\`\\w+\\n(.*?)\`\`\``, "gs")),
  ];
  return folderOf(Object.fromEntries(blocks.map(([, name = "", content = ""]) => [name, content])));
}

const loadCloud = () => import("@voice/shared/config/cloud");

function partsWith(environment: Readonly<Record<string, string>>) {
  const settings = loadSettings(environment);
  return { settings, tokens: identityOf(settings, loadCloud).tokenFor, clock: systemClock, logger: silentLogger };
}

const voice = path.join(guide("my-voice"), "tone.ts");
const compose = (module: string) => composeSynthesiser(partsWith({ SYNTHESISER_MODULE: module }));

synthesiserContract({ name: "docs/models.md", create: async () => (await compose(voice)).synthesiser });

const ollama = path.join(guide("my-model"), "ollama.ts");
const doubleSchema = z.object({
  startOllama: z.custom<(options: object) => Promise<Omit<LanguageModelRig, "model"> & { readonly url: string }>>(
    (value) => typeof value === "function",
  ),
});

/** The module of a setting, as a host has it, and the double of its service. */
async function rigOf(options: object): Promise<LanguageModelRig> {
  const { startOllama } = doubleSchema.parse(await import(path.join(path.dirname(ollama), "ollama-double.ts")));
  const double = await startOllama(options);
  vi.stubEnv("OLLAMA_URL", double.url);
  const parts = partsWith({ LANGUAGE_MODEL_MODULE: ollama });
  const { languageModel: model } = await composeModel(parts, await catalogOf(parts.settings));
  vi.unstubAllEnvs();
  return { ...double, model };
}

languageModelContract({
  name: "docs/models.md",
  create: () => rigOf({}),
  createRefused: () => rigOf({ refuses: true }),
});

/** A synthesiser whose `synthesise` is this. */
const withSynthesise = (body: string): string =>
  `import { defineSynthesiser, VoiceError } from "@voice/provider-kit";
export default defineSynthesiser({ name: "own", create: () => ({ ${body}, pool: () => ({}), close: async () => {} }) });`;

describe("a provider outside the repository", () => {
  it("[PROVIDER-1] does its part, and the others stay as they are", async () => {
    const parts = partsWith({ SYNTHESISER_MODULE: voice, ...wordsAlone });
    expect(describePart(parts.settings, "synthesis")).toMatchObject({ kind: "real", detail: voice });
    const { providers, status } = await composeProviders(parts, await catalogOf(parts.settings));
    try {
      expect(status()).toMatchObject({ synthesiser: { name: "tones", healthy: true }, recogniser: { name: "local" } });
      expect((await speak(providers.synthesiser, "Hello.")).samples.length).toBeGreaterThan(1000);
    } finally {
      await Promise.all([providers.synthesiser.close(), providers.recogniser.close()]);
    }
  });

  it("[PROVIDER-2] says which setting, which module and what to change", async () => {
    const folder = folderOf({
      "nothing.js": "export const helper = 1;",
      "kind.js": 'export default { kind: "recogniser", name: "r", create() {} };',
      "half.js":
        'import { defineSynthesiser } from "@voice/provider-kit";\nexport default defineSynthesiser({ name: "h", create: () => ({ pool() {} }) });',
      "throws.js":
        'import { defineSynthesiser } from "@voice/provider-kit";\nexport default defineSynthesiser({ name: "t", create() { throw new Error("MY_KEY is not set"); } });',
    });
    const problemOf = (file: string): Promise<unknown> =>
      compose(path.join(folder, file)).catch((error: unknown) => (error instanceof Error ? error.message : ""));
    expect(await problemOf("nothing.js")).toContain(
      `SYNTHESISER_MODULE: ${folder}/nothing.js: exports no synthesiser; export what defineSynthesiser gives`,
    );
    expect(await problemOf("kind.js")).toContain("exports no synthesiser");
    expect(await problemOf("half.js")).toContain("the synthesiser has no function synthesise, close");
    expect(await problemOf("throws.js")).toContain("could not be created: MY_KEY is not set");
    expect(await problemOf("absent.js")).toContain("absent.js: there is no such file");
    expect(await problemOf("")).toContain("is a folder; name the file in it");
  });

  it("[PROVIDER-5] is created once with a log that leaves out what people say, and is closed with the host", async () => {
    const module = path.join(
      folderOf({
        "once.js": `import { defineSynthesiser, emptyPool } from "@voice/provider-kit";
let made = 0;
let closed = 0;
export default defineSynthesiser({
  name: "once",
  create({ log }) {
    made += 1;
    log.info("a voice was made", { made, voice: "alto", text: "Ada Lovelace called" });
    return { synthesise: async () => {}, pool: () => ({ ...emptyPool, activeSessions: made, warmSize: closed }), close: async () => void (closed += 1) };
  },
});`,
      }),
      "once.js",
    );
    const lines: string[] = [];
    const logger = createLogger({
      level: "info",
      name: "test",
      destination: { write: (line) => void lines.push(line) },
    });
    const parts = { ...partsWith({ SYNTHESISER_MODULE: module }), logger };
    const { synthesiser } = await composeSynthesiser(parts);
    await speak(synthesiser, "...");
    await synthesiser.close();
    expect(synthesiser.pool()).toMatchObject({ activeSessions: 1, warmSize: 1 });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "a voice was made",
      provider: "once",
      made: 1,
      voice: "alto",
      text: "(left out)",
    });
  });

  it("[PROVIDER-4a] [PROVIDER-4b] fails in the service's own terms, and is silent after an abort whatever it does", async () => {
    const folder = folderOf({
      "throws.js": withSynthesise('synthesise: async () => { throw new TypeError("of somebody"); }'),
      "late.js": withSynthesise(
        "synthesise: async (_request, { onAudio }) => { await new Promise((resolve) => setTimeout(resolve, 5)); onAudio(new Int16Array(9)); }",
      ),
      "foreign.js": withSynthesise(
        'synthesise: async () => { throw Object.assign(new Error("away"), { name: "VoiceError", code: "rate_limited", retryable: true }); }',
      ),
    });
    const { synthesiser } = await compose(path.join(folder, "throws.js"));
    await expect(speak(synthesiser, "Hello.")).rejects.toMatchObject({ code: "upstream_unavailable" });
    const foreign = (await compose(path.join(folder, "foreign.js"))).synthesiser;
    await expect(speak(foreign, "Hello.")).rejects.toMatchObject({ code: "rate_limited", retryable: true });
    const late = (await compose(path.join(folder, "late.js"))).synthesiser;
    const reason = new Error("interrupted");
    const abort = new AbortController();
    let heard = 0;
    const request = { text: "Hello.", voice: { name: "any" }, language: "en-US", sampleRateHz: 16_000 };
    const events = { onAudio: () => void heard++, onWord: () => undefined };
    const speaking = late.synthesise(request, events, abort.signal);
    abort.abort(reason);
    await expect(speaking).rejects.toBe(reason);
    expect(heard).toBe(0);
  });

  it("[PROVIDER-3] is written against the package that npm makes of the kit", async () => {
    const folder = path.dirname(voice);
    const kit = path.join(folder, "kit");
    await packageProviderKit(kit);
    const packed = execFileSync("npm", ["pack", kit, "--silent"], { cwd: folder }).toString().trim();
    const to = path.join(folder, "node_modules/@voice/provider-kit");
    mkdirSync(to, { recursive: true });
    execFileSync("tar", ["-xzf", packed, "--strip-components=1", "-C", to], { cwd: folder });
    mkdirSync(path.join(folder, "node_modules/@types"));
    for (const name of ["vitest", "zod", "@types/node"])
      symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
    const wrong = readFileSync(voice, "utf8").replace("running -= 1;", "running -= 1;\n          onAudio(7);");
    writeFileSync(path.join(folder, "wrong.ts"), wrong);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--allowImportingTsExtensions"];
    const how = [...options, "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const model = ["ollama.ts", "ollama-double.ts", "ollama.test.ts"];
    for (const name of model) cpSync(path.join(path.dirname(ollama), name), path.join(folder, name));
    const modules = ["tone.ts", "tone.test.ts", "wrong.ts", ...model];
    const compiler = path.join(root, "node_modules/.bin/tsc");
    const checked = spawnSync(compiler, [...how, ...modules], { cwd: folder, encoding: "utf8" });
    const complaints = checked.stdout.split("\n").filter((line) => /^\S+\.ts\(/.test(line));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/^wrong\.ts.*number/);
    cpSync(path.join(kit, "index.js"), path.join(folder, "index.js"));
    expect(Object.keys(await import(path.join(folder, "index.js")))).toContain("defineSynthesiser");
  });
});
