/** Whether words that the first search found may be something else, judged by their form and by the duration of the speech. Pure. */
import { joint } from "./everyday-words.ts";
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";

/**
 * `grave`: the words are only accepted with proof. `slight`: they are accepted unless a sentence fits better, because a value that was
 * spelled or drawn out looks the same, and must not be lost.
 */
export type Doubt = "none" | "slight" | "grave";

/** A second: a single word takes at most 0.7 s, and the margins before and after it a little. */
const longestWordFrames = 50;
/** 0.8 s. People rarely take longer for one word, or less for a sentence of four. */
const usualWordFrames = 40;
/** The tuning voices of `bench:hearing` take 70 to 100 ms for each letter of the text, slow speakers 120. */
const usualLetterFrames = 6;

/** `speechFrames`: the 20 ms frames in which the caller spoke. */
export function doubtOf(text: string, state: SentenceState | undefined, speechFrames: number): Doubt {
  if (text === "") return "none";
  const words = text.split(" ");
  const isMixture = words.length > 1 && state === undefined;
  if (isMixture || speechFrames > words.length * longestWordFrames) return "grave";
  // For sentences that the search has given up it often finds spelled letters, because letters fit any speech a little.
  const isSpelled = words.every((word) => word.length === 1);
  // A second sentence may stand for words of the first one that the search has given up: "coffee and wait a moment" for "coffee with milk".
  const isJoined = words.includes(joint);
  const usualFrames = Math.max(usualWordFrames, text.replaceAll(" ", "").length * usualLetterFrames);
  return isSpelled || isJoined || speechFrames > usualFrames ? "slight" : "none";
}
