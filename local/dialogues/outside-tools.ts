/**
 * Tools that ask somebody outside, for conversations whose clock jumps: time stands still while one of them waits for its
 * answer, or it would be given up within a few real milliseconds.
 */
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
      running.add(outcome);
      try {
        return await outcome;
      } finally {
        running.delete(outcome);
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
