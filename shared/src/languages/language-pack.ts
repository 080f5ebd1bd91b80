/**
 * Everything that the service has to know of a language: what it says itself, the words that steer a turn, and how numbers,
 * money and dates are said and read. Data and pure functions; whoever needs one is given it.
 */
import type { EndOfTurnWords } from "./end-of-turn-words.ts";
import type { QuestionForms } from "./question-forms.ts";
import type { Sentences } from "./sentences.ts";
import type { SpokenNumbers } from "./spoken-numbers.ts";
import type { TurnWords } from "./turn-words.ts";

export interface LanguagePack {
  /** ISO 639-1: `de`. */
  readonly code: string;
  /** Of a tag without a region: `de-DE`. */
  readonly locale: string;
  /** Voices of the cloud by locale, of agents that have the default voice; the first is that of all other locales. */
  readonly voices: readonly [LocaleVoice, ...LocaleVoice[]];
  readonly sentences: Sentences;
  readonly turnWords: TurnWords;
  readonly endOfTurn: EndOfTurnWords;
  readonly questions: QuestionForms;
  readonly numbers: SpokenNumbers;
  readonly values: SpokenValues;
  /** What an answering machine says and a person does not (VM-1). */
  readonly machineWords: RegExp;
  readonly abbreviations: Abbreviations;
}

export interface LocaleVoice {
  readonly locale: string;
  readonly voice: string;
}

/** Values as people say them. */
export interface SpokenValues {
  /** `currency`: ISO 4217; the language's own where absent. */
  money(amount: number, currency?: string): string;
  /** "4412" digit by digit. Anything but digits is left out. */
  digits(text: string): string;
  /** Of `2026-03-21`; a time of day may follow. Anything else is returned as it is. */
  date(isoDate: string): string;
}

/** A full stop after one of these is not the end of a sentence. In small letters and without the last full stop. */
export interface Abbreviations {
  /** Whatever follows. */
  readonly always: ReadonlySet<string>;
  /** Unless a capital letter follows. */
  readonly beforeSmallLetters: ReadonlySet<string>;
  /** "21." is the twenty-first, and a month follows. */
  readonly hasOrdinals: boolean;
}
