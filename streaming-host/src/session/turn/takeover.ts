/** How a session begins: from the start, or in the middle of a call that another host had. Rules HS-5 and TAKE-1 to TAKE-3. */
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

/** Speech that began at this moment, or words that ended then. */
export function noticeFragment(step: TurnStep, atMs: number): void {
  const { gap } = step.state;
  if (gap !== undefined && atMs <= gap.endsMs) step.patch({ gap: { ...gap, isFragment: true } });
}

/** Of a number that is being keyed in, the first digits may have been pressed while nobody listened. */
export function noticeCutKeys(step: TurnStep): void {
  const { gap } = step.state;
  if (gap !== undefined && step.nowMs <= gap.endsMs - underWayMs + keysUnderWayMs)
    step.patch({ gap: { ...gap, areKeysCut: true } });
}

/** Whatever was lost before, what is typed is whole, and so are keys of which the first was heard. */
export function takeAsWhole(step: TurnStep): void {
  const { gap } = step.state;
  step.patch({ gap: gap?.areKeysCut === true ? { ...gap, isFragment: true } : undefined });
}

/** Half a sentence may mean the opposite of the whole one, so it is not answered. Returns whether that is the case. */
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
