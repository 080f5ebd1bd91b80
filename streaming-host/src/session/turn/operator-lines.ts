/**
 * Lines that an operator makes the agent speak (OPS-3): verbatim, when nobody is speaking and the caller is not on hold. None is lost
 * (PERSON-1, PERSON-2): each is spoken, or refused with a reason.
 */
import type { HeardPart, LineRefusal, OperatorLine } from "./turn-effects.ts";
import { hasUnansweredSpeech } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** The most lines that wait: more than an operator types while one answer is spoken. */
const maxWaiting = 10;

export function takeLine(step: TurnStep, line: OperatorLine): void {
  const { lines, withPerson } = step.state;
  if (!step.settings.policy.agentSpeaks || withPerson) refuseLine(step, line, "agent_silent");
  else if (lines.length >= maxWaiting) refuseLine(step, line, "too_many_lines");
  else step.patch({ lines: [...lines, line] });
}

/** Called after every event, because nobody may be speaking after any of them. */
export function sayNextLine(step: TurnStep): void {
  const { lines, cutLine, agent, user, isDeaf, onHold, isPaused, stopped } = step.state;
  const [line, ...others] = lines;
  if (line === undefined || agent.kind !== "listening" || isDeaf || onHold || isPaused) return;
  if (cutLine !== undefined) return; // it comes first, unless it was heard
  if (hasUnansweredSpeech(user)) return;
  // BARGE-3: a reply that a sound without words has stopped resumes first, because it would not be resumed after the line.
  if (stopped !== undefined) return;
  step.patch({ lines: others });
  step.beginReply("line", { text: line.text, line });
}

/**
 * PERSON-1: a line of which nothing was heard is said once the caller's turn has been answered. So is one of which the beginning was heard,
 * but only once, because a caller who interrupts it twice does not want to hear it.
 */
export function onLineCut(
  step: TurnStep,
  { turnId, heard }: { readonly turnId: string; readonly heard: HeardPart },
): void {
  const { cutLine, lines, stopped, withPerson } = step.state;
  if (cutLine?.turnId !== turnId) return; // its reply has been begun again
  step.patch({ cutLine: undefined });
  const { line, isHopeless } = cutLine;
  if (!isSaidAgain(line, heard)) return;
  if (isHopeless === true) refuseLine(step, line, "voice_failed");
  else if (withPerson) refuseLine(step, line, "agent_silent");
  else
    step.patch({
      lines: [heard === "beginning" ? { ...line, isRepeated: true } : line, ...lines],
      // The line is spoken again from the beginning, so the sound that has stopped it resumes nothing.
      ...(stopped?.kind === "line" && { stopped: undefined }),
    });
}

/** Otherwise it counts as said, and as interrupted by the caller. */
export function isSaidAgain({ isRepeated }: OperatorLine, heard: HeardPart): boolean {
  return heard === "nothing" || (heard === "beginning" && isRepeated !== true);
}

export function refuseLine(step: TurnStep, line: OperatorLine, reason: LineRefusal): void {
  step.emit({ type: "refuse-line", line, reason });
}
