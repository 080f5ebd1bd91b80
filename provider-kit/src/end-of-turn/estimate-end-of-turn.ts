/**
 * The estimator that needs no model file. Every finding has a weight in nats for or against the end of the turn; their sum is the logarithm
 * of the odds. The weights of sentences, questions and voices were chosen by `test/bench/turn-taking.ts` with its tuning callers; those of
 * texts are trained (`text-model.ts`).
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
import { codeAtEnd, isWholeCode } from "./code-at-end.ts";
import { countDigits } from "./count-digits.ts";
import { endOfSentence } from "./end-of-sentence.ts";
import { toWords } from "./to-words.ts";
import { createTextModel } from "./text-model.ts";
import type { TextModel } from "./text-model.ts";
import { weights as english } from "./weights/en.ts";

/** A shorter gap is not a pause: people leave this much between two words of a sentence. */
export const shortestWaitMs = 150;
/** A caller who is silent for longer has nothing to add, or has forgotten it. */
export const longestWaitMs = 1500;

interface Finding {
  readonly reason: EndOfTurnReason;
  readonly nats: number;
}

/** The language data that the estimator uses. */
export type EstimatorLanguage = Pick<LanguagePack, "code" | "endOfTurn" | "numbers" | "questions">;

/** Languages with trained text weights (`local/end-of-turn/train-cli.ts`); for others only their word lists count. */
const textModels: Readonly<Record<string, TextModel>> = { en: createTextModel(english) };

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
      const waitMs = toWaitMs(probability, evidence.middleMs);
      const reasons = byWeight(findings);
      const noisyMs = withinBounds(noisyWait * evidence.middleMs, evidence.middleMs);
      return noisyMs > waitMs && isLostInNoise(evidence, reasons)
        ? { probability, waitMs: noisyMs, reasons: ["noisy_line", ...reasons] }
        : { probability, waitMs, reasons };
    },
  };
}

/** A change of a tenth in the probability changes the wait by a quarter: from 1/3 of the middle to 3 times the middle. */
function toWaitMs(probability: number, middleMs: number): number {
  return withinBounds(middleMs * 10 ** (0.5 - probability), middleMs);
}

function withinBounds(waitMs: number, middleMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, shortestWaitMs), Math.max(longestWaitMs, middleMs)));
}

/** Who speaks in a room where people work is 20 to 30 dB above it, and in a quiet one more than 40. */
const noisyBelowDb = 25;
/** In a kitchen at 12 dB, of eight pauses within an order seven were shorter than 750 ms, at the default of `VAD_SILENCE_TIMEOUT`. */
const noisyWait = 1.5;

/** Noise hides soft syllables from the detector, so that pauses seem longer than they are, and the words so far may be half of what was said. */
function isLostInNoise({ prosody }: TurnEvidence, reasons: readonly EndOfTurnReason[]): boolean {
  const { overNoiseDb = Infinity } = prosody ?? {};
  return overNoiseDb < noisyBelowDb && !reasons.some((reason) => reason === "asked_for" || reason === "short_answer");
}

function textFindings(evidence: TurnEvidence, language: EstimatorLanguage): Finding[] {
  const { text, sentence, expected } = evidence;
  const { endOfTurn, numbers } = language;
  const words = toWords(text);
  if (isHesitating(words, endOfTurn)) return [{ reason: "hesitation", nats: -4 }];
  if (expected.kind === "digits") {
    const digits = countDigits(text, numbers);
    if (digits > 0 && expected.length !== undefined)
      return digits < expected.length ? [{ reason: "digits_missing", nats: -4 }] : [{ reason: "asked_for", nats: 4 }];
  }
  // "Right" in place of digits, as long as the recogniser does not know better, may be the "five" with which they begin.
  const mayBeDigits = expected.kind === "digits" && sentence === "beginning";
  if (!mayBeDigits && isShortAnswer(words, endOfTurn)) return [{ reason: "short_answer", nats: 3.5 }];
  const judged = textModels[language.code]?.(words, expected.kind);
  if (expected.kind === "choice" && isChoice(words, expected.words, endOfTurn))
    return [{ reason: "asked_for", nats: 4 }];
  if (expected.kind === "quantity" && isQuantity(words, language))
    if (words.length <= wordsOfQuantity || (judged ?? 0) >= 0) return [{ reason: "asked_for", nats: 1 }];
  const code = sentence === "whole" ? undefined : codeAtEnd(words, expected, language);
  if (code !== undefined)
    return [isWholeCode(code) ? { reason: "asked_for", nats: 1.5 } : { reason: "digits_missing", nats: -3 }];
  switch (sentence) {
    case "whole":
      return [{ reason: "whole_sentence", nats: 3 }];
    case "whole-so-far":
      return [{ reason: "sentence_may_go_on", nats: 0.8 }];
    case "beginning":
      return [{ reason: "beginning_of_sentence", nats: -3 }];
    case undefined:
      return freeText(words, evidence, { judged, language });
  }
}

/** "I would like um". A word that only may hesitate does so where nothing else has been said: "well", but not "that is all as well". */
function isHesitating(words: readonly string[], { hesitations, fillers }: EndOfTurnWords): boolean {
  return (
    hesitations.has(words.at(-1) ?? "") ||
    (words.length > 0 && words.every((word) => hesitations.has(word) || fillers.has(word)))
  );
}

/** "Um, yes", "okay, thanks". */
function isShortAnswer(words: readonly string[], { shortAnswers, hesitations, fillers }: EndOfTurnWords): boolean {
  const begin = words.findIndex((word) => !hesitations.has(word) && !fillers.has(word));
  return begin >= 0 && consistOf(words.slice(begin), shortAnswers);
}

/** Only words that the question named, or that go with any answer: "the savings account please", but not "for the". */
function isChoice(words: readonly string[], named: ReadonlySet<string>, { carriers, joints }: EndOfTurnWords): boolean {
  const last = words.at(-1) ?? "";
  return words.every((word) => carriers.has(word) || named.has(word)) && !carriers.has(last) && !joints.has(last);
}

/** "Three", "a party of twelve". More digits than that are a code. */
function isQuantity(words: readonly string[], { numbers }: EstimatorLanguage): boolean {
  return countDigits(words.at(-1) ?? "", numbers) > 0 && countDigits(words.join(" "), numbers) <= mostOfQuantity;
}

const mostOfQuantity = 4;
/** "A party of twelve". In a longer text the number may stand for something else: "I want two …". */
const wordsOfQuantity = 4;

function freeText(
  words: readonly string[],
  { text, isFinal }: TurnEvidence,
  { judged, language }: { readonly judged: number | undefined; readonly language: EstimatorLanguage },
): Finding[] {
  // A model knows that "where does it stop at" is a sentence.
  const isJoint = judged === undefined && language.endOfTurn.joints.has(words.at(-1) ?? "");
  if (isJoint) return [{ reason: "open_text", nats: -3 }];
  const nats = judged === undefined ? 0 : mostByText * Math.tanh((textWeight * (judged + leaning)) / mostByText);
  const findings: Finding[] = nats === 0 ? [] : [{ reason: nats > 0 ? "closed_text" : "open_text", nats }];
  if (breaksOff.test(text)) findings.push({ reason: "open_text", nats: -1.5 });
  // Punctuation in a final expresses the service's own judgement that it has heard a whole sentence.
  else if (isFinal && endOfSentence.test(text)) findings.push({ reason: "settled", nats: 0.7 });
  return findings;
}

/** Text alone is never certain: "I have a question" is a sentence, but not if "about my card" follows. */
const mostByText = 3;
/**
 * How much the model counts, and how far it leans towards the end. Both were chosen on files that it had not learned from: a doubtful text
 * waits for about `middleMs`, so that few whole turns wait for more than twice that and few halves for less than four fifths of it.
 */
const textWeight = 0.6;
const leaning = 0.2;

/** Some recognisers write "I would like …" or "I would like," where a voice breaks off. */
const breaksOff = /(?:\.{2,}|[…,;:，、；：–—-])["'”’)»」』]*\s*$/u;

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
