/** The other caller whose waiting is measured. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";

const report = z.object({ type: z.literal("longest"), longestMs: z.number() });

export interface Observer {
  /** How late the latest of its frames was since it was last asked. */
  latestFrameMs(): Promise<number>;
  stop(): void;
}

export async function startObserver(url: string): Promise<Observer> {
  const child = fork(path.join(import.meta.dirname, "observer-process.ts"), [url], { stdio: "inherit" });
  await once(child, "message");
  return {
    async latestFrameMs() {
      const answer = once(child, "message");
      child.send("report");
      const [message] = await answer;
      return report.parse(message).longestMs;
    },
    stop: () => void child.kill(),
  };
}
