/**
 * How a session begins: from the start, or in the middle of a call that another host was handling. Rules HS-4a, HS-5, REC-3 and TAKE-1 to
 * TAKE-3.
 */
import {
  gapSilenceMs,
  keysUnderWayMs,
  longGapMs,
  longGapSilenceMs,
  repeatedAnswerMs,
  underWayMs,
} from "./turn-settings.ts";
import type { TurnEvent } from "./turn-events.ts";
import { hasUnansweredSpeech } from "./turn-state.ts";
import type { TurnState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export function startSession(
  step: TurnStep,
  { firstMove, announces = false, hasGap = false, gapMs = 0 }: Extract<TurnEvent, { type: "session-started" }>,
): void {
  const { nowMs, settings } = step;
  // Whoever hears the greeting again was not asked anything before.
  const isLong = gapMs >= longGapMs && firstMove !== "greet";
  if (hasGap) step.patch({ gap: { endsMs: nowMs + underWayMs, isFragment: false, ...(isLong && { isLong }) } });
  if (announces) {
    if (!step.state.withPerson) step.patch({ firstMove });
    step.beginReply("announcement");
  } else if (firstMove === "answer") step.beginReply("answer", { origin: "taken-over" });
  else if (firstMove === "greet") step.beginReply("greeting");
  else if (settings.policy.agentSpeaks)
    step.setTimer("idle", nowMs + Math.min(silenceAfter(step.state.gap), settings.idleMs));
}

/** How long the agent lets the caller be silent. Where a whole sentence may be lost, its speaker already waits for an answer. */
function silenceAfter(gap: TurnState["gap"]): number {
  if (gap === undefined) return Number.POSITIVE_INFINITY;
  return gap.isLong ? longGapSilenceMs : gapSilenceMs;
}

/**
 * How long the caller may be silent once they have heard the agent. Whoever has spoken into a long gap, and hears the answer before it
 * again, waits for another one.
 */
export function patienceOf({ state: { gap, effectsRunning }, settings: { idleMs } }: TurnStep): number {
  return gap?.isLong === true && effectsRunning === 0 ? Math.min(repeatedAnswerMs, idleMs) : idleMs;
}

/** The announcement is over, heard or not. Returns false if the agent says nothing now. */
export function continueAfterAnnouncement(step: TurnStep): boolean {
  if (step.state.firstMove !== "greet") return giveOwedAnswer(step);
  step.beginReply("greeting");
  return true;
}

/**
 * REC-3h: what the caller is saying over the announcement is answered together with what is owed to them. If it turns out to have no words,
 * what is owed is answered alone. Called after every event, because any event may show this.
 */
export function giveOwedAnswer(step: TurnStep): boolean {
  const { agent, user, firstMove, onHold, isDeaf } = step.state;
  if (firstMove !== "answer" || agent.kind !== "listening" || onHold || isDeaf) return false;
  if (hasUnansweredSpeech(user)) return false;
  step.beginReply("answer", { origin: "taken-over" });
  return true;
}

/** Speech that started, or words that ended, at this time. */
export function noticeFragment(step: TurnStep, atMs: number): void {
  const { gap } = step.state;
  if (gap !== undefined && atMs <= gap.endsMs) step.patch({ gap: { ...gap, isFragment: true } });
}

/** The first digits of a number may have been pressed while no host was listening. */
export function noticeCutKeys(step: TurnStep): void {
  const { gap } = step.state;
  if (gap !== undefined && step.nowMs <= gap.endsMs - underWayMs + keysUnderWayMs)
    step.patch({ gap: { ...gap, areKeysCut: true } });
}

/** Whatever was lost before, typed text is complete, and so are keys if the first one was received. */
export function takeAsWhole(step: TurnStep): void {
  const { gap } = step.state;
  step.patch({ gap: gap?.areKeysCut === true ? { ...gap, isFragment: true } : undefined });
}

/** Half a sentence may mean the opposite of the whole one, so it is not answered. Returns whether this is the case. */
export function askForWhatWasLost(step: TurnStep): boolean {
  const { gap } = step.state;
  step.patch({ gap: undefined });
  if (gap?.isFragment !== true) return false;
  askAgain(step);
  return true;
}

export function askAgain(step: TurnStep): void {
  step.discardPrepared();
  step.closeUserText({ isAnswered: false });
  step.patch({ gap: undefined, preparations: 0 });
  step.beginReply("apology");
}
