/**
 * The estimator that needs no model file. Every finding has a weight in nats for or against the end of the turn; their sum is the logarithm
 * of the odds. The weights of sentences, questions and voices were chosen by `test/bench/turn-taking.ts` with its tuning callers; those of
 * texts come from `text-completeness.ts`.
 */
import type {
  EndOfTurnEstimator,
  EndOfTurnReason,
  PauseHabit,
  Prosody,
  TurnEvidence,
} from "@voice/provider-kit/ports/end-of-turn";
import type { EndOfTurnWords } from "@voice/shared/languages/end-of-turn-words";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import { consistOf } from "@voice/shared/languages/phrases";
import { countDigits } from "./count-digits.ts";
import { endOfSentence } from "./end-of-sentence.ts";
import { toWords } from "./spoken-words.ts";
import { textCompleteness } from "./text-completeness.ts";

/** A shorter gap is not a pause: people leave this much between two words of a sentence. */
export const shortestWaitMs = 150;
/** A caller who is silent for longer has nothing to add, or has forgotten it. */
export const longestWaitMs = 1500;

interface Finding {
  readonly reason: EndOfTurnReason;
  readonly nats: number;
}

/** The language data that the estimator uses. */
export type EstimatorLanguage = Pick<LanguagePack, "code" | "endOfTurn" | "numbers">;

/** Languages with trained text weights (`local/end-of-turn/train-cli.ts`); for others only their word lists count. */
const judgesOfText: Readonly<Record<string, (words: readonly string[]) => number>> = { en: textCompleteness };

export function createEndOfTurnEstimator(language: EstimatorLanguage): EndOfTurnEstimator {
  return {
    estimate(evidence) {
      const findings = [
        ...textFindings(evidence, language),
        ...voiceFindings(evidence),
        ...habitFindings(evidence.pauses),
      ];
      const nats = findings.reduce((sum, finding) => sum + finding.nats, 0);
      const probability = 1 / (1 + Math.exp(-nats));
      return { probability, waitMs: toWaitMs(probability, evidence.middleMs), reasons: byWeight(findings) };
    },
  };
}

/** A change of a tenth in the probability changes the wait by a quarter: from 1/3 of the middle to 3 times the middle. */
function toWaitMs(probability: number, middleMs: number): number {
  const waitMs = middleMs * 10 ** (0.5 - probability);
  return Math.round(Math.min(Math.max(waitMs, shortestWaitMs), Math.max(longestWaitMs, middleMs)));
}

function textFindings({ text, isFinal, sentence, expected }: TurnEvidence, language: EstimatorLanguage): Finding[] {
  const { endOfTurn, numbers } = language;
  const words = toWords(text);
  const last = words.at(-1) ?? "";
  if (endOfTurn.hesitations.has(last)) return [{ reason: "hesitation", nats: -4 }];
  if (expected.kind === "digits") {
    const digits = countDigits(text, numbers);
    if (digits > 0 && expected.length !== undefined)
      return digits < expected.length ? [{ reason: "digits_missing", nats: -4 }] : [{ reason: "asked_for", nats: 4 }];
  }
  if (isShortAnswer(words, endOfTurn)) return [{ reason: "short_answer", nats: 3.5 }];
  if (
    expected.kind === "choice" &&
    words.every((word) => endOfTurn.carriers.has(word) || expected.words.has(word)) &&
    !endOfTurn.carriers.has(last)
  )
    return [{ reason: "asked_for", nats: 4 }];
  if (expected.kind === "quantity" && isQuantity(words, language)) return [{ reason: "asked_for", nats: 1 }];
  if (sentence !== "whole" && endsInDigits(words, language)) return [{ reason: "digits_missing", nats: -3 }];
  switch (sentence) {
    case "whole":
      return [{ reason: "whole_sentence", nats: 3 }];
    case "whole-so-far":
      return [{ reason: "sentence_may_go_on", nats: 0.8 }];
    case "beginning":
      return [{ reason: "beginning_of_sentence", nats: -3 }];
    case undefined:
      return freeText(text, words, { isFinal, language });
  }
}

/** "Um, yes", "okay, thanks". */
function isShortAnswer(words: readonly string[], { shortAnswers, hesitations }: EndOfTurnWords): boolean {
  const begin = words.findIndex((word) => !hesitations.has(word));
  return begin >= 0 && consistOf(words.slice(begin), shortAnswers);
}

/** "Three", "a party of twelve". More digits than that are a code. */
function isQuantity(words: readonly string[], { numbers }: EstimatorLanguage): boolean {
  return countDigits(words.at(-1) ?? "", numbers) > 0 && countDigits(words.join(" "), numbers) <= mostOfQuantity;
}

const mostOfQuantity = 4;

/**
 * The number of digits to come is unknown: people pause 0.7 to 1 s between groups of digits, and between letters. Only letters of alphabets
 * with lower case count as spelling; in other scripts a single character is a syllable or a word.
 */
function endsInDigits(words: readonly string[], { endOfTurn, numbers }: EstimatorLanguage): boolean {
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  const { pronouns, letters } = endOfTurn;
  const isPronoun =
    pronouns.words.has(last) && countDigits(before, numbers) === 0 && !pronouns.numeralsAfter.has(before);
  return (countDigits(last, numbers) > 0 && !isPronoun) || (/^\p{Ll}$/u.test(last) && !letters.has(last));
}

function freeText(
  text: string,
  words: readonly string[],
  { isFinal, language }: { readonly isFinal: boolean; readonly language: EstimatorLanguage },
): Finding[] {
  if (language.endOfTurn.joints.has(words.at(-1) ?? "")) return [{ reason: "open_text", nats: -3 }];
  const nats = judgesOfText[language.code]?.(words) ?? 0;
  const findings: Finding[] = nats === 0 ? [] : [{ reason: nats > 0 ? "closed_text" : "open_text", nats }];
  // Punctuation in a final expresses the service's own judgement that it has heard a whole sentence.
  if (isFinal && endOfSentence.test(text)) findings.push({ reason: "settled", nats: 0.7 });
  return findings;
}

/** A model that has received the whole turn also knows its last half second, so prosody only counts if there is no model. */
function voiceFindings({ voice, prosody }: TurnEvidence): Finding[] {
  if (voice === undefined) return prosodyFindings(prosody);
  const nats = within(Math.log((voice + 1e-3) / (1 - voice + 1e-3)), mostByVoice);
  return nats === 0 ? [] : [{ reason: nats > 0 ? "voice_finished" : "voice_goes_on", nats }];
}

/**
 * The model's odds count fully, but no more than this: less than a whole sentence, missing digits or a hesitation, which the words show
 * with more certainty than a voice does.
 */
const mostByVoice = 2.5;

/**
 * A voice that falls and fades has finished; one that is held has not. The weight is small, and was measured with synthetic voices only:
 * the medians of whole and cut sentences are 2 to 6 semitones and 40 to 70 dB per second apart.
 */
function prosodyFindings(prosody: Prosody | undefined): Finding[] {
  if (prosody === undefined) return [];
  const { pitchSlope, energySlope } = prosody;
  const pitch = pitchSlope === undefined ? 0 : within(-(pitchSlope + 2) / 12, 0.5);
  const energy = energySlope === undefined ? 0 : within(-energySlope / 100, 0.4);
  const nats = pitch + energy;
  return nats === 0 ? [] : [{ reason: nats > 0 ? "falling_voice" : "held_voice", nats }];
}

function within(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** A caller who has once paused for long within a sentence is likely to do so again. */
function habitFindings({ count, longestMs }: PauseHabit): Finding[] {
  if (count < 2 || longestMs < 400) return [];
  return [{ reason: "pauses_often", nats: -Math.min(1.2, 0.3 * count) }];
}

function byWeight(findings: readonly Finding[]): EndOfTurnReason[] {
  return findings.toSorted((a, b) => Math.abs(b.nats) - Math.abs(a.nats)).map(({ reason }) => reason);
}
