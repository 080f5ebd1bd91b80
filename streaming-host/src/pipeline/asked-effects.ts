/** What tools ask of the host, each under an id that every host knows it by: doing it again is asking how it went. Pure. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { CallEffect } from "@voice/shared/tools/tool";

export type AskedEffect = CallEffect & {
  /** Made from the tool call that asked for it. Absent where the host itself wants it. */
  readonly id?: string | undefined;
};

export function askedEffects(results: readonly HistoryItem[]): AskedEffect[] {
  return results.flatMap(({ toolCallId, effects = [] }) =>
    effects.map((effect, index) => ({ ...effect, id: index === 0 ? toolCallId : `${toolCallId}:${index}` })),
  );
}
