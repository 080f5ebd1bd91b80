/** How a session begins: from the start, or in the middle of a call that another host was handling. Rules HS-5 and TAKE-1 to TAKE-3. */
import type { FirstMove } from "./turn-events.ts";
import { gapSilenceMs, keysUnderWayMs, underWayMs } from "./turn-settings.ts";
import type { TurnStep } from "./turn-step.ts";

export function startSession(
  step: TurnStep,
  { firstMove, hasGap = false }: { readonly firstMove: FirstMove; readonly hasGap?: boolean | undefined },
): void {
  const { nowMs, settings } = step;
  if (hasGap) step.patch({ gap: { endsMs: nowMs + underWayMs, isFragment: false } });
  if (firstMove === "answer") step.beginReply("answer", { origin: "taken-over" });
  else if (firstMove === "greet") step.beginReply("greeting");
  else if (settings.policy.agentSpeaks)
    step.setTimer("idle", nowMs + (hasGap ? Math.min(gapSilenceMs, settings.idleMs) : settings.idleMs));
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
