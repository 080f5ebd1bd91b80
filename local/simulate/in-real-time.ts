/**
 * Has a clock that is faster than real time slow down while something outside of the process answers. So an answer takes as
 * long as it does for a caller, and no deadline is shorter than it says.
 */
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import type { ScaledClock } from "@voice/shared/platform/scaled-clock";
import type { Tool } from "@voice/shared/tools/tool";

export function inRealTime(model: LanguageModel, time: ScaledClock): LanguageModel {
  async function* answered(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const goOn = time.slowDown();
    try {
      yield* events;
    } finally {
      goOn();
    }
  }
  return { stream: (request, signal) => answered(model.stream(request, signal)) };
}

export function toolsInRealTime(tools: ReadonlyMap<string, Tool>, time: ScaledClock): ReadonlyMap<string, Tool> {
  const slowed = (tool: Tool): Tool => ({
    ...tool,
    async run(args, context) {
      const goOn = time.slowDown();
      try {
        return await tool.run(args, context);
      } finally {
        goOn();
      }
    },
  });
  return new Map([...tools].map(([name, tool]) => [name, slowed(tool)]));
}
