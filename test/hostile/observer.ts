/** The other callers whose waiting is measured, and the idle server that they hear beside the service. */
import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import { z } from "zod";
import type { LateFrame } from "./frame-lateness.ts";

const listening = z.object({ type: z.literal("listening"), port: z.int() });
const lateFrames = z.array(z.object({ atMs: z.number(), lateMs: z.number() }));
const report = z.object({ type: z.literal("late"), frames: lateFrames, idle: lateFrames });

export interface Observer {
  /** The late frames since the last question: those of the service, and those of the idle server. */
  late(): Promise<{ readonly frames: readonly LateFrame[]; readonly idle: readonly LateFrame[] }>;
  stop(): void;
}

export async function startObserver(url: string): Promise<Observer> {
  const idleServer = start("idle-server-process.ts", []);
  const { port } = listening.parse(await nextMessage(idleServer));
  const callers = start("observer-process.ts", [url, `ws://127.0.0.1:${port}`]);
  await nextMessage(callers);
  return {
    async late() {
      const answer = nextMessage(callers);
      callers.send("report");
      return report.parse(await answer);
    },
    stop() {
      callers.kill();
      idleServer.kill();
    },
  };
}

function start(file: string, args: readonly string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, file), [...args], { stdio: "inherit" });
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the observer process ended with ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
