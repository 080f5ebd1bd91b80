/**
 * Everything that the service has to know about a language: its own sentences, the words that control turn taking, and how numbers, money
 * and dates are spoken and read. It consists of data and pure functions, and is passed to the code that needs it.
 */
import type { EndOfTurnWords } from "./end-of-turn-words.ts";
import type { Sentences } from "./sentences.ts";
import type { SpokenNumbers } from "./spoken-numbers.ts";
import type { TurnPhrases } from "./turn-phrases.ts";

export interface LanguagePack {
  /** ISO 639-1: `de`. */
  readonly code: string;
  /** The locale for a language tag without a region: `de-DE`. */
  readonly locale: string;
  /** The cloud's voices by locale, for agents with the default voice. The first voice also serves all other locales. */
  readonly voices: readonly [LocaleVoice, ...LocaleVoice[]];
  readonly sentences: Sentences;
  readonly turnPhrases: TurnPhrases;
  readonly endOfTurn: EndOfTurnWords;
  readonly questions: QuestionForms;
  readonly numbers: SpokenNumbers;
  readonly values: SpokenValues;
  /** Matches what an answering machine says and a person does not (VM-1). */
  readonly machineWords: RegExp;
  /** Matches the speech of a telephone's assistant that screens calls: it asks who is calling before the telephone rings (VM-5). */
  readonly screeningWords: RegExp;
  /** Matches a telephone menu's instruction to press a key, in any of its forms (VM-7). */
  readonly menuWords: RegExp;
  /** Matches what the network says of a number that leads to nobody (VM-8). */
  readonly notInServiceWords: RegExp;
  /** Matches a question by its form, for recognisers that write no question marks (VM-6). */
  readonly questionWords: RegExp;
  readonly abbreviations: Abbreviations;
}

export interface LocaleVoice {
  readonly locale: string;
  readonly voice: string;
}

/** Puts values into words as people say them. */
export interface SpokenValues {
  /** `currency`: ISO 4217; the language's usual currency if absent. */
  money(amount: number, currency?: string): string;
  /** "4412" digit by digit. Characters other than digits are left out. */
  digits(text: string): string;
  /** The date in `2026-03-21`; a time of day may follow. Any other text is returned unchanged. */
  date(isoDate: string): string;
}

/** A full stop after one of these does not end a sentence. They are in lower case and without the final full stop. */
export interface Abbreviations {
  /** Abbreviations that never end a sentence, whatever follows. */
  readonly always: ReadonlySet<string>;
  /** Abbreviations that do not end a sentence unless a capital letter follows. */
  readonly beforeSmallLetters: ReadonlySet<string>;
  /** Whether "21." is an ordinal number, the twenty-first, that is followed by a month. */
  readonly hasOrdinals: boolean;
}

/**
 * How agents phrase questions. The agent's last sentence shows what kind of answer to expect. All are in lower case.
 */
interface QuestionForms {
  /** Matches the beginning of a question that is answered with yes or no, or of a part of one after a comma: ", right?". */
  readonly yesOrNo: RegExp;
  /** Matches the two answers where a question or a request names them: "yes or no", "or not". */
  readonly eitherWay: RegExp;
  /** Matches the name of a number that is said digit by digit. */
  readonly code: RegExp;
  /** Matches questions whose answer is a number that is no code: "how many", "what time". */
  readonly quantity: RegExp;
  /** Matches the word for a number of any kind. */
  readonly anyNumber: RegExp;
  /** Matches phrases that turn a statement into a request, if it names a code or follows a question: "please", "tell me". */
  readonly request: RegExp;
  /** The word between the choices that a question offers. */
  readonly or: string;
  /** Matches "the last four digits"; the first group is the number, in words or in figures. */
  readonly digitCount: RegExp;
}
