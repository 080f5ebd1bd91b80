/**
 * Recognises the code that the agent has asked for a second time, as a whole, with only digits to compete. Of 120 codes by ten voices of
 * other synthesisers the first search, in which every sentence of the agent competes, found 34, and this one 73.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { attemptsAt } from "./attempt.ts";
import type { Attempt, SecondOpinionDecoders } from "./attempt.ts";
import { codeGrammar, oneCodeGrammar } from "./code-grammar.ts";
import type { ExpectedDigits } from "./awaited-digits.ts";
import type { ForegroundSpeech } from "./foreground.ts";
import { withNoiseFloor } from "./noise-floor.ts";
import { atPace } from "./pace.ts";

/**
 * The score that a code must reach. Chosen with the tuning voices of `bench:hearing`: of 112 codes by 14 voices, 81 are then right and 6
 * wrong, and of 196 foreign sentences two become a code.
 */
const accepted = 5;
/** A code with at least this score is hardly ever a different one in another attempt. */
const certain = 14;
/** Unchanged, with a soft noise added, and slowed down for short vocal tracts: each finds codes that the others miss. */
const forms: readonly ((samples: Int16Array) => Int16Array)[] = [
  (samples) => samples,
  withNoiseFloor,
  (samples) => atPace(samples, 0.94),
];

/** Undefined if no code fits. `heard`: the digits that the first search found, or nothing. */
export function expectedCode(
  decoders: SecondOpinionDecoders,
  { frames, isNoisy }: ForegroundSpeech,
  { heard, ...expected }: ExpectedDigits & { readonly heard: string },
): string | undefined {
  const samples = joinSamples(frames);
  const grammar = codeGrammar(expected);
  const asItWasSaid = attemptsAt(decoders, samples);
  let best: Attempt | undefined;
  for (const form of isNoisy ? forms.slice(0, 1) : forms) {
    const formed = form(samples);
    const attempt = formed === samples ? asItWasSaid : attemptsAt(decoders, formed);
    const said = attempt(grammar, (text) => mayBe(text, heard, expected));
    if (said === undefined) continue;
    if (said.text === heard) return heard;
    if (said.fit > (best?.fit ?? accepted)) best = said;
    if (best !== undefined && best.fit >= certain) break;
  }
  if (best === undefined || heard === "") return best?.text;
  // Each code is compared alone, because a search among all codes drops some digits too early.
  const fitOf = (code: string): number => asItWasSaid(oneCodeGrammar(code))?.fit ?? -Infinity;
  return fitOf(heard) < fitOf(best.text) ? best.text : heard;
}

/**
 * The rest of a code may still follow, so no digit is added to those found. A single digit may have been a cough, unless it is the only one
 * missing.
 */
function mayBe(said: string, heard: string, { missing }: ExpectedDigits): boolean {
  const count = said.split(" ").length;
  if (heard !== "") return count === heard.split(" ").length;
  return count > 1 || missing === 1;
}
