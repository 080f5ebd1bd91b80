/** EFFECT-2: what tools asked for is not done when its announcement is not heard to its end, and the agent is told. */
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCallOutcome } from "../../pipeline/cascade/tool-call-outcome.ts";
import type { CancelReason } from "../turn/turn-effects.ts";
import type { Conversation } from "./conversation.ts";
import { isAnnounced, isDoneOnceHeard } from "./host-effects.ts";
import type { HostEffect } from "./host-effects.ts";

type Place = Pick<HistoryItem, "agent" | "turnId" | "timestampMs">;

interface AnnouncedEffects {
  readonly effects: readonly HostEffect[];
  readonly withdrawal?: Withdrawal | undefined;
  readonly ending: CancelReason | "complete";
  readonly place: Place;
}

/** A tool of a reply asks for it: it begins at once, or waits in `effects` until the reply was heard. */
export function takeEffect(effect: HostEffect, effects: HostEffect[], onEffect: (effect: HostEffect) => void): void {
  if (isDoneOnceHeard(effect)) effects.push(effect);
  if (!isAnnounced(effect)) onEffect(effect);
}

/** They are done when their reply was heard to its end. Otherwise they are withdrawn: returns why, if there were any. */
export function settleEffects(
  { effects, withdrawal, ending, place }: AnnouncedEffects,
  {
    conversation,
    onEffect,
  }: Readonly<{
    conversation: Pick<Conversation, "append">;
    onEffect: (effect: HostEffect) => void;
  }>,
): Withdrawal | undefined {
  if (ending === "complete") for (const effect of effects.filter(isAnnounced)) onEffect(effect);
  if (ending === "complete" || withdrawal === undefined) return undefined;
  // FAIL-2: after an answer that broke off, the conversation ends all the same.
  const calledOff = withdrawal === "talked_over" ? effects : effects.filter(isAnnounced);
  if (calledOff.length === 0) return undefined;
  conversation.append(calledOff.map(({ id }) => withdrawnItem(id, withdrawal, place)));
  return withdrawal;
}

/** The reply had ended while these tools ran. Returns whether any of them asked for something, such as a handoff. */
export function withdrawOutcomes(
  outcomes: readonly ToolCallOutcome[],
  why: Withdrawal,
  conversation: Pick<Conversation, "append">,
  place: Place,
): boolean {
  const asking = outcomes.filter(({ effects }) => effects.length > 0);
  conversation.append(asking.map(({ call }) => withdrawnItem(call.id, why, place)));
  return asking.length > 0;
}

/** Undefined where the caller is gone, or the conversation goes on elsewhere and it is done there. */
export function withdrawalOn(reason: CancelReason): Withdrawal | undefined {
  switch (reason) {
    case "barge_in":
      return "talked_over";
    case "dead_air":
    case "superseded":
      return "broke_off";
    case "passed_on":
    case "ended":
      return undefined;
  }
}
