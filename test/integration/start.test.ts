/** `npm start` as a newcomer types it, on a port of the machine's choice. */
import { mkdtempSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startServerProcess } from "../support/server-process.ts";
import { wordsAlone } from "../support/words-alone.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { eventually } from "../support/wait.ts";

const script = fileURLToPath(new URL("../../local/start.ts", import.meta.url));

const loadedModules = join(mkdtempSync(join(tmpdir(), "loaded-")), "modules.txt");

/** What only some services need, and what only tools do. Each is imported by whoever needs it. */
const notAtTheStart =
  /node_modules\/(@opentelemetry|@azure\/(identity|cosmos|storage-blob|web-pubsub|app-configuration|monitor)|microsoft-cognitiveservices|openai|ioredis|playwright)/;

/** 1,700 today, of which the communication service's SDK is 190: a page is there the sooner the fewer they are. */
const mostModules = 1750;

describe("npm start", () => {
  let started: ServerProcess;

  beforeAll(async () => {
    const record = new URL("../support/loaded-modules.ts", import.meta.url).href;
    const settingsFile = new URL("../../local/use-settings-file.ts", import.meta.url).href;
    const flags = ["--import", record, "--import", settingsFile];
    started = await startServerProcess(script, [], { PORT: "0", LOADED_MODULES: loadedModules }, flags);
  });

  // Before the next one starts: for seconds it would go on encoding what callers could say.
  afterAll(async () => {
    await started.stop();
  });

  it("has loaded no more than a first page needs, and its worker threads do not read the settings file again", () => {
    const loaded = readFileSync(loadedModules, "utf8").split("\n");
    const [main, workers] = [
      loaded.filter((line) => line.startsWith("main ")),
      loaded.filter((line) => line.startsWith("worker ")),
    ];
    expect(main.length).toBeLessThan(mostModules);
    expect(loaded.filter((line) => notAtTheStart.test(line))).toEqual([]);
    // A thread's, of which the main one needed a number: unpacked, it is a twentieth of a start.
    expect(main.filter((line) => line.includes("llama-tokenizer"))).toEqual([]);
    expect(workers.filter((line) => /\/(read-)?settings-file\.ts$/.test(line))).toEqual([]);
  });

  it("offers its pages to be phones", async () => {
    const response = await fetch(`${started.url}/api/v1/browser/status`);
    expect(await response.json()).toMatchObject({ features: { simulated_phones: true } });
  });

  it("has a telephone network that finds it back, whatever its port", async () => {
    const placed = await fetch(`${started.url}/api/v1/calls/initiate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ target_number: phoneNumbers.busy }),
    });
    expect(placed.status).toBe(200);
    const list = z.object({ calls: z.array(z.object({ status: z.string() })) });
    await eventually(async () => {
      const response = await fetch(`${started.url}/api/v1/calls/`);
      return list.parse(await response.json()).calls[0]?.status === "failed";
    }, "the network has told that the phone is busy");
  });
});

describe("npm start with a catalog of one's own", () => {
  it("[MAKER-8] serves what is saved there once it is right, on the same port", async () => {
    const folder = await mkdtemp(join(tmpdir(), "catalog-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const desk = join(folder, "agents", "desk");
    const greet = (greeting: string): Promise<void> =>
      writeFile(join(desk, "agent.yaml"), `description: Receives callers.\ngreeting: ${greeting}\n`);
    await mkdir(desk, { recursive: true });
    await mkdir(join(folder, "scenarios"));
    await writeFile(join(desk, "prompt.md"), "You receive callers.\n");
    await writeFile(
      join(folder, "scenarios", "desk.yaml"),
      "description: Calls to the desk.\nagents: [desk]\nstart_agent: desk\n",
    );
    await greet("Hello.");
    // Nobody speaks here, and it starts again for what is saved: the recogniser of words that no agent knows takes 1.9 s each time.
    const settings = { PORT: "0", CATALOG_DIR: folder, LOCAL_OPEN_VOCABULARY: "false", ...wordsAlone };
    const own = await startServerProcess(script, [], settings);
    onTestFinished(() => own.stop());
    const { port } = new URL(own.url);
    const greeting = async (): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/agents/desk`);
      return z.object({ greeting: z.string() }).parse(await response.json()).greeting;
    };
    expect(await greeting()).toBe("Hello.");
    await greet("{{ broken");
    await greet('"Good morning."');
    await eventually(async () => (await greeting()) === "Good morning.", "what was saved is served");
  });
});
