/**
 * Chooses at most one of the handoffs that the tools of one step request; the others get a result that says they were not carried out.
 * Pure.
 */
import type { ToolEffect } from "@voice/shared/tools/tool";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import type { HandoffEffect, HandoffTaken } from "./plan-handoff.ts";

/** Handoffs in one turn: two (front desk → desk → specialist) are common, more than three indicate a loop. */
export const maxHandoffs = 3;

export interface ChosenHandoff extends HandoffTaken {
  readonly context: HandoffEffect["context"];
  /** The tool call that requested the handoff. */
  readonly callId: string;
}

export interface HandoffChoice {
  readonly outcomes: readonly ToolCallResult[];
  readonly handoff: ChosenHandoff | undefined;
}

/**
 * `plan` resolves a handoff in this scenario; undefined if it is not possible. `taken`: handoffs already taken in this
 * turn.
 */
export function chooseHandoff(
  outcomes: readonly ToolCallResult[],
  taken: number,
  plan: (wanted: HandoffEffect) => HandoffTaken | undefined,
  refusalWords: string,
): HandoffChoice {
  const asking = outcomes.findLast(({ effects }) => effects.some(isHandoff));
  const wanted = asking?.effects.findLast(isHandoff);
  const planned = wanted !== undefined && taken < maxHandoffs ? plan(wanted) : undefined;
  return {
    outcomes: outcomes.map((outcome) => {
      const isRefused = outcome.effects.some(
        (effect) => isHandoff(effect) && (effect !== wanted || planned === undefined),
      );
      if (!isRefused) return outcome;
      const effects = outcome.effects.filter((effect) => !isHandoff(effect));
      return { ...outcome, effects, status: "error", result: refusal(refusalWords) };
    }),
    handoff: asking && wanted && planned && { ...planned, context: wanted.context, callId: asking.call.id },
  };
}

/** `message` is a sentence that may be spoken to the caller unchanged. */
function refusal(message: string) {
  return { success: false, error: "handoff_not_possible", message };
}

function isHandoff(effect: ToolEffect): effect is HandoffEffect {
  return effect.type === "handoff";
}
