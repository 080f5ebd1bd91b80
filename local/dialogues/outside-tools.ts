/**
 * Tools that ask somebody outside, for conversations whose clock jumps: time stands still while one of them waits for its
 * answer, or it would be given up within a few real milliseconds. It goes on when the tool's own time is up on a real clock.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Tool } from "@voice/shared/tools/tool";

export interface OutsideTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Resolves when none of them waits for an answer. */
  settled(): Promise<void>;
}

export const noOutsideTools: OutsideTools = { tools: new Map(), settled: async () => undefined };

export function watchOutsideTools(tools: ReadonlyMap<string, Tool>): OutsideTools {
  const running = new Set<Promise<unknown>>();
  const watched = (tool: Tool): Tool => ({
    ...tool,
    async run(args, context) {
      const outcome = tool.run(args, context);
      const isAnswered = new AbortController();
      const late = wait(tool.timeoutMs, undefined, { signal: isAnswered.signal }).catch(() => undefined);
      const waiting = Promise.race([outcome, late]);
      running.add(waiting);
      void late.then(() => running.delete(waiting));
      try {
        return await outcome;
      } finally {
        running.delete(waiting);
        isAnswered.abort();
      }
    },
  });
  return {
    tools: new Map([...tools].map(([name, tool]) => [name, watched(tool)])),
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
