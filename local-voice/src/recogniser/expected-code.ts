/**
 * Recognises the code that the agent has asked for a second time, as a whole, with only digits to compete. Of 120 codes by ten voices of
 * other synthesisers the first search, in which every sentence of the agent competes, found 34, and this one 73.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { attemptsAt } from "./attempt.ts";
import type { Attempt, Opinion, SecondOpinionDecoders } from "./attempt.ts";
import { codeGrammar, oneCodeGrammar } from "./code-grammar.ts";
import type { ExpectedDigits } from "./awaited-digits.ts";
import { decoderRateHz } from "./decoder.ts";
import type { ForegroundSpeech } from "./foreground.ts";
import { withNoiseFloor } from "./noise-floor.ts";
import { atPace } from "./pace.ts";

/** The fit with which a code is accepted though only one form of the speech has it. */
const accepted = 5;
/** With this fit a code is worth a question: of the codes that people say slowly, half fit no better. */
const plausible = -2;
/** A code with at least this score is hardly ever a different one in another attempt. */
const certain = 14;
/** 0.8 s of speech: who says more for a digit says no code. */
const longestDigitSamples = 0.8 * decoderRateHz;
/** Unchanged, with a soft noise added, and slowed down for short vocal tracts: each finds codes that the others miss. */
const forms: readonly ((samples: Int16Array) => Int16Array)[] = [
  (samples) => samples,
  withNoiseFloor,
  (samples) => atPace(samples, 0.94),
];

/**
 * Undefined if no code fits. `heard`: the digits that the first search found, or nothing. A code is sure if two attempts agree on it, or one
 * fits well; otherwise the caller is asked about it.
 */
export function expectedCode(
  decoders: SecondOpinionDecoders,
  { frames, isNoisy }: ForegroundSpeech,
  { heard, ...expected }: ExpectedDigits & { readonly heard: string },
): Opinion | undefined {
  const samples = joinSamples(frames);
  const grammar = codeGrammar(expected);
  const asItWasSaid = attemptsAt(decoders, samples);
  const found: Attempt[] = [];
  for (const form of isNoisy ? forms.slice(0, 1) : forms) {
    const formed = form(samples);
    const attempt = formed === samples ? asItWasSaid : attemptsAt(decoders, formed);
    const said = attempt(grammar, (text) => mayBe(text, heard, expected) && isShortEnough(text, samples));
    if (said === undefined) continue;
    if (said.text === heard) return { text: heard, isSure: true };
    found.push(said);
    if (said.fit >= certain) break;
  }
  const best = found.reduce<Attempt | undefined>(
    (most, said) => (said.fit > (most?.fit ?? plausible) ? said : most),
    undefined,
  );
  if (best === undefined) return undefined;
  const isAgreed = found.filter(({ text }) => text === best.text).length > 1;
  if (heard === "") return { text: best.text, isSure: best.fit >= accepted || isAgreed };
  // Each code is compared alone, because a search among all codes drops some digits too early.
  const fitOf = (code: string): number => asItWasSaid(oneCodeGrammar(code))?.fit ?? -Infinity;
  return { text: fitOf(heard) < fitOf(best.text) ? best.text : heard, isSure: best.fit >= accepted };
}

function isShortEnough(code: string, samples: Int16Array): boolean {
  return samples.length <= code.split(" ").length * longestDigitSamples;
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
