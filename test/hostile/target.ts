/** The service under attack: the whole of it, in a process of its own, on loopback. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { heapFlags } from "../../local/package/heap-flags.ts";
import { startServerProcess } from "../support/server-process.ts";
import { eventually } from "../support/wait.ts";

export interface Target {
  readonly url: string;
  readonly socketUrl: string;
  /** When and for how long it blocked its event loop, since the last question. */
  stalls(): Promise<Stalls>;
  /** What it keeps after it has collected its garbage; with a file, all of it is written there for Chromium's memory panel. */
  memory(snapshot?: string): Promise<Memory>;
  stop(): Promise<void>;
}

const stalls = z.object({
  stalls: z.array(
    z.object({
      atMs: z.number(),
      delayMs: z.number(),
      busyMs: z.number(),
      queuedMs: z.number(),
      collectingMs: z.number(),
    }),
  ),
  longestBusyMs: z.number(),
});
const memory = z.object({ heapUsed: z.number(), external: z.number(), rss: z.number() });

export type Stalls = z.infer<typeof stalls>;
export type Memory = z.infer<typeof memory>;

const script = path.join(import.meta.dirname, "..", "..", "local", "start.ts");
const probeScript = pathToFileURL(path.join(import.meta.dirname, "probe-of-process.ts")).href;

export async function startTarget(settings: Readonly<Record<string, string>>): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), "hostile-"));
  const environment = {
    PORT: "0",
    CONSOLE_ENABLED: "false",
    LOG_LEVEL: "silent",
    // Nobody speaks, so there is nothing for a model of open words to do.
    LOCAL_OPEN_VOCABULARY: "false",
    LOCAL_SENTENCE_MEANING: "false",
    // The attackers are admitted however busy this machine is.
    MAX_EVENT_LOOP_DELAY: "10000",
    HOSTILE_PROBE_FOLDER: folder,
    ...settings,
  };
  const service = await startServerProcess(script, [], environment, [...heapFlags, "--import", probeScript]);
  const url = service.url.replace(/\/$/, "");
  const ask = async <Answer>(question: object, schema: z.ZodType<Answer>): Promise<Answer> => {
    const answerFile = path.join(folder, "answer.json");
    rmSync(answerFile, { force: true });
    writeFileSync(path.join(folder, "question.json"), JSON.stringify(question));
    process.kill(service.pid, "SIGUSR2");
    let answer: unknown;
    await eventually(async () => {
      answer = JSON.parse(readFileSync(answerFile, "utf8"));
      return true;
    }, "the service was probed");
    return schema.parse(answer);
  };
  return {
    url,
    socketUrl: url.replace(/^http/, "ws"),
    stalls: () => ask({ ask: "stalls" }, stalls),
    memory: (snapshot) => ask({ ask: "memory", snapshot }, memory),
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
