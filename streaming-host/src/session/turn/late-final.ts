/**
 * The final of a turn that had to end before it arrived (TURN-6, TURN-8): what was answered is not answered again, and words that were not
 * answered are not lost (TURN-11).
 */
import { toAnswerKey } from "./text-kind.ts";
import type { TurnState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** Whether a partial revises words that were already answered: they were spoken before any speech that was detected since. */
export function isRevision({ lateFinal }: TurnState, endedMs: number | undefined): boolean {
  if (lateFinal === undefined) return false;
  const { speechSinceMs } = lateFinal;
  return speechSinceMs === undefined || (endedMs !== undefined && endedMs <= speechSinceMs);
}

/**
 * The part of a final that was not answered yet; undefined if there is none. Recognisers report in order, so after one new word everything
 * that follows is new.
 */
export function newWordsOf(
  step: TurnStep,
  { text, endedMs }: { readonly text: string; readonly endedMs: number },
): string | undefined {
  const { lateFinal } = step.state;
  if (lateFinal === undefined) return text;
  step.patch({ lateFinal: undefined });
  const { heard, isAnswered, turnEndedMs, speechSinceMs } = lateFinal;
  const more = wordsBeyond(text, heard);
  const isOfTurn = endedMs <= (speechSinceMs ?? turnEndedMs);
  if (isOfTurn) return more === "" || !isAnswered ? undefined : more;
  // Words too soft for the detector are new if they differ. Their time does not decide, because some recognisers date words at the time of
  // the report.
  const addsNothing = text === "" || more === "";
  return speechSinceMs === undefined && addsNothing ? undefined : text;
}

/** The words of a text that follow the given beginning; undefined if it begins differently. */
function wordsBeyond(text: string, beginning: string): string | undefined {
  const key = toAnswerKey(beginning);
  const words = text.split(/\s+/);
  const index = words.findIndex((_, at) => toAnswerKey(words.slice(0, at + 1).join(" ")) === key);
  return index < 0 ? undefined : words.slice(index + 1).join(" ");
}
