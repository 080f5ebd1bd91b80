/** Whether words that the first search found may be something else, judged by their form and by how long the caller spoke. Pure. */
import type { SentenceState } from "@voice/provider-kit/ports/recogniser";

/**
 * `grave`: they need proof, or are not taken. `slight`: they are taken unless a sentence fits better, because a value
 * that was spelled or drawn out looks the same, and must not be lost.
 */
export type Doubt = "none" | "slight" | "grave";

/** A second: a word alone takes at most 0.7 s, and what comes before and after it a little. */
const LONGEST_WORD_FRAMES = 50;
/** 0.8 s. People seldom take longer for one word, and seldom less for a sentence of four. */
const USUAL_WORD_FRAMES = 40;
/** The tuning voices of `bench:hearing` take 70 to 100 ms for a letter of what they say, slow people 120. */
const USUAL_LETTER_FRAMES = 6;

/** `speechFrames`: the 20 ms frames in which the caller spoke. */
export function doubtOf(text: string, state: SentenceState | undefined, speechFrames: number): Doubt {
  if (text === "") return "none";
  const words = text.split(" ");
  const isMixture = words.length > 1 && state === undefined;
  if (isMixture || speechFrames > words.length * LONGEST_WORD_FRAMES) return "grave";
  // Sentences that the search has given up are often found to be spelled letters: those fit anything a little.
  const isSpelled = words.every((word) => word.length === 1);
  const usualFrames = Math.max(USUAL_WORD_FRAMES, text.replaceAll(" ", "").length * USUAL_LETTER_FRAMES);
  return isSpelled || speechFrames > usualFrames ? "slight" : "none";
}
