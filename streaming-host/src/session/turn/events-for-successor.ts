/** FAIL-6: what a session that gives up still has to do, apart from answering the caller, as events for its successor. Pure. */
import type { TimelessTurnEvent } from "./turn-events.ts";
import type { TurnState } from "./turn-state.ts";

export function eventsForSuccessor({
  user,
  lines,
  cutLine,
  pendingWords,
  isDeaf,
  withPerson,
}: TurnState): TimelessTurnEvent[] {
  return [
    ...(withPerson ? [{ type: "person-joined" } as const] : []),
    ...(isDeaf ? [{ type: "voicemail-answered" } as const] : []),
    ...(pendingWords === undefined ? [] : [{ type: "effect-ended", isHold: false, words: pendingWords } as const]),
    ...[...(cutLine === undefined ? [] : [cutLine.line]), ...lines].map(
      ({ text, id: lineId }) => ({ type: "line-given", text, lineId }) as const,
    ),
    // Typed while the agent could not be interrupted (TURN-11).
    ...user.finals.map((text) => ({ type: "whole-turn", text }) as const),
  ];
}
