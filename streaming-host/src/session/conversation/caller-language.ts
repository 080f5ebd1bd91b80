/** LANG-11 to LANG-13: which language the caller has changed to. */
import { chooseLanguage } from "@voice/shared/languages/choose-language";
import { primaryLanguage } from "@voice/shared/languages/packs";

export interface HeardLanguage {
  readonly text: string;
  readonly language?: string | undefined;
  /** The recogniser has identified the language; otherwise it is only the one that it was configured with. */
  readonly isIdentified?: boolean | undefined;
}

/** Fewer words are often names, greetings and "okay", which prove nothing by themselves. */
const enoughWords = 3;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

export class CallerLanguage {
  /** The languages that the caller may change among; empty for an agent with a language of its own. */
  readonly #languages: () => readonly string[];
  readonly #current: () => string | undefined;
  /** Finds the language of a text, for recognisers that do not report it. */
  readonly #identify: (text: string, languages: readonly string[]) => string | undefined;
  /** The language of the last words, which were too few to be certain. */
  #suspected: string | undefined;

  constructor(
    languages: () => readonly string[],
    current: () => string | undefined,
    identify: (text: string, languages: readonly string[]) => string | undefined,
  ) {
    this.#languages = languages;
    this.#current = current;
    this.#identify = identify;
  }

  /** The language in which to continue; undefined if it stays the same. */
  hear(heard: HeardLanguage): string | undefined {
    const languages = this.#languages();
    if (languages.length < 2) return undefined;
    const words = countWords(heard.text);
    if (words === 0) return undefined;
    const spoken = this.#spokenIn(heard, languages);
    if (spoken === undefined) return undefined;
    const current = this.#current();
    if (current !== undefined && primaryLanguage(spoken) === primaryLanguage(current)) {
      this.#suspected = undefined;
      return undefined;
    }
    const isCertain = words >= enoughWords || this.#suspected === spoken;
    this.#suspected = isCertain ? undefined : spoken;
    return isCertain ? spoken : undefined;
  }

  #spokenIn({ text, language, isIdentified }: HeardLanguage, languages: readonly string[]): string | undefined {
    if (isIdentified !== true || language === undefined) return this.#identify(text, languages);
    return chooseLanguage(language, languages);
  }
}

/** Numbers are the same in every language. */
function countWords(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike, segment }) => isWordLike === true && /\p{L}/u.test(segment))
    .length;
}
