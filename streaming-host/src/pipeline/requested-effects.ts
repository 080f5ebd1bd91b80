/**
 * Effects that tools request from the host. The id of each is the same on every host, so repeating the request only asks for its outcome.
 * Pure.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { CallEffect } from "@voice/shared/tools/tool";

export type RequestedEffect = CallEffect & {
  /** Derived from the tool call that requests the effect. Absent if the host itself requests it. */
  readonly id?: string | undefined;
};

export function requestedEffects(results: readonly HistoryItem[]): RequestedEffect[] {
  return results.flatMap(({ toolCallId, effects = [] }) =>
    effects.map((effect, index) => ({ ...effect, id: index === 0 ? toolCallId : `${toolCallId}:${index}` })),
  );
}
