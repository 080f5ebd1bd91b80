/**
 * The final of a turn that had to end before it came (TURN-6, TURN-8): what was answered is not answered again, and
 * words that were not are not lost (TURN-11).
 */
import { toAnswerKey } from "./text-kind.ts";
import type { TurnState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

/** A partial whose words were said before any speech that was detected since then revises words that were answered. */
export function isRevision({ lateFinal }: TurnState, endedMs: number | undefined): boolean {
  if (lateFinal === undefined) return false;
  const { speechSinceMs } = lateFinal;
  return speechSinceMs === undefined || (endedMs !== undefined && endedMs <= speechSinceMs);
}

/**
 * What a final says that was not answered yet; undefined if there is nothing new. Recognisers report in order, so once
 * it was new, everything that follows is.
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
  // Words too soft for the detector are new if they are others; some recognisers date words at the time of their report.
  const addsNothing = text === "" || more === "";
  return speechSinceMs === undefined && addsNothing ? undefined : text;
}

/** The words of a text after those that it begins with; undefined if it begins differently. */
function wordsBeyond(text: string, beginning: string): string | undefined {
  const key = toAnswerKey(beginning);
  const words = text.split(/\s+/);
  const index = words.findIndex((_, at) => toAnswerKey(words.slice(0, at + 1).join(" ")) === key);
  return index < 0 ? undefined : words.slice(index + 1).join(" ");
}
