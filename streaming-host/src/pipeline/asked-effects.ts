/**
 * Effects that tools request from the host, each under an id that is the same on every host: carrying one out again
 * only asks for its outcome. Pure.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { CallEffect } from "@voice/shared/tools/tool";

export type AskedEffect = CallEffect & {
  /** Derived from the requesting tool call. Absent if the host itself requests the effect. */
  readonly id?: string | undefined;
};

export function askedEffects(results: readonly HistoryItem[]): AskedEffect[] {
  return results.flatMap(({ toolCallId, effects = [] }) =>
    effects.map((effect, index) => ({ ...effect, id: index === 0 ? toolCallId : `${toolCallId}:${index}` })),
  );
}
