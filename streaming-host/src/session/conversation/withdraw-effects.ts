/** EFFECT-2: what tools asked for is not done when its announcement is not heard to its end, and the agent is told. */
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCallOutcome } from "../../pipeline/cascade/tool-call-outcome.ts";
import type { SessionNotice } from "../../transports/transport.ts";
import type { CancelReason } from "../turn/turn-effects.ts";
import type { Conversation } from "./conversation.ts";
import { isAnnounced } from "./host-effects.ts";
import type { HostEffect } from "./host-effects.ts";

type Place = Pick<HistoryItem, "agent" | "turnId" | "timestampMs">;

interface AnnouncedEffects {
  readonly effects: readonly HostEffect[];
  readonly withdrawal?: Withdrawal | undefined;
  readonly ending: CancelReason | "complete";
  readonly place: Place;
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

/** A handoff within a reply. */
export interface TakenHandoff {
  readonly from: string;
  readonly to: string;
  /** With a greeting of the next agent. */
  readonly isAnnounced: boolean;
  /** The tool call that asked for it. */
  readonly callId: string | undefined;
  readonly takeBack: () => void;
}

/**
 * EFFECT-19: the caller spoke over the announcement, which is over when the next agent is heard. Returns the agent who has the
 * conversation again; undefined if no handoff was taken back.
 */
export function takeHandoffsBack(
  handoffs: readonly TakenHandoff[],
  heard: readonly { readonly agent: string }[],
  { conversation, notify, onAgentChanged }: HandoffParts,
  place: Place,
): string | undefined {
  const isUnheard = ({ isAnnounced, to }: TakenHandoff): boolean =>
    isAnnounced && !heard.some(({ agent }) => agent === to);
  const at = handoffs.findIndex(isUnheard);
  const first = handoffs[at];
  if (first === undefined) return undefined;
  const { name } = conversation.agent;
  first.takeBack();
  if (conversation.agent.name === name) return undefined;
  conversation.append(handoffs.slice(at).map(({ callId }) => withdrawnItem(callId, "talked_over", place)));
  notify({ type: "handoff", payload: { from: name, to: first.from, type: "discrete" } });
  onAgentChanged();
  return first.from;
}

interface HandoffParts {
  readonly conversation: Pick<Conversation, "append" | "agent">;
  readonly notify: (notice: SessionNotice) => void;
  readonly onAgentChanged: () => void;
}

/** Which call has asked for the handoff that is taken. */
export function handoffCall(outcomes: readonly ToolCallOutcome[]): string | undefined {
  return outcomes.find(({ effects }) => effects.some(({ type }) => type === "handoff"))?.call.id;
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
