/** The service under attack: the whole of it, in a process of its own, on loopback. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { startServerProcess } from "../support/server-process.ts";
import { eventually } from "../support/wait.ts";

export interface Target {
  readonly url: string;
  readonly socketUrl: string;
  /** What it says of itself, after it has collected its garbage. */
  probe(): Promise<Probe>;
  stop(): Promise<void>;
}

const probe = z.object({
  /** The longest that its main thread was busy in one go, since it was last asked. */
  longestBusyMs: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  rss: z.number(),
});

export type Probe = z.infer<typeof probe>;

const script = path.join(import.meta.dirname, "..", "..", "local", "start.ts");
const probeScript = pathToFileURL(path.join(import.meta.dirname, "probe-of-process.ts")).href;

export async function startTarget(settings: Readonly<Record<string, string>>): Promise<Target> {
  const folder = mkdtempSync(path.join(tmpdir(), "hostile-"));
  const answerFile = path.join(folder, "probe.json");
  const service = await startServerProcess(script, [], {
    PORT: "0",
    CONSOLE_ENABLED: "false",
    LOG_LEVEL: "silent",
    // Whatever else this machine does: who attacks is let in.
    MAX_EVENT_LOOP_DELAY: "10000",
    NODE_OPTIONS: `--import ${probeScript}`,
    HOSTILE_PROBE_FILE: answerFile,
    ...settings,
  });
  const url = service.url.replace(/\/$/, "");
  return {
    url,
    socketUrl: url.replace(/^http/, "ws"),
    async probe() {
      rmSync(answerFile, { force: true });
      process.kill(service.pid, "SIGUSR2");
      let answer: Probe | undefined;
      const read = async (): Promise<boolean> => {
        answer = probe.parse(JSON.parse(readFileSync(answerFile, "utf8")));
        return true;
      };
      await eventually(read, "the service was probed");
      if (answer === undefined) throw new Error("the service was not probed");
      return answer;
    },
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
