/**
 * Tools that call an outside service, for conversations on a clock that jumps. Time stands still while one of them waits for
 * its answer; otherwise it would time out within a few real milliseconds. Time goes on once the tool's own timeout has passed
 * on a real clock.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Tool } from "@voice/shared/tools/tool";

export interface OutsideTools {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Resolves when no tool is waiting for an answer. */
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
      // Only the end is awaited, not its reason, and a rejection that nobody handles would end the process.
      const waiting = Promise.race([outcome, late]).catch(() => undefined);
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
      while (running.size > 0) await Promise.all(running);
    },
  };
}
