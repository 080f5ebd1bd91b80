/** LANG-11 to LANG-13: which language the caller has changed to. */
import { primaryLanguage } from "@voice/shared/languages/packs";

export interface HeardLanguage {
  readonly text: string;
  readonly language?: string | undefined;
  /** The recogniser found it out; otherwise it is only the one that it was told. */
  readonly isIdentified?: boolean | undefined;
}

/** Fewer words are often names, greetings and "okay", which prove nothing by themselves. */
const enoughWords = 3;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

export class CallerLanguage {
  /** Those that the caller may change among; empty for an agent with a language of its own. */
  readonly #languages: () => readonly string[];
  readonly #current: () => string | undefined;
  /** By the words, for recognisers that do not tell. */
  readonly #identify: (text: string, languages: readonly string[]) => string | undefined;
  /** What the last words were in, which were too few. */
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

  /** The language to go on in; undefined if it stays. */
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
    return (
      languages.find((allowed) => allowed.toLowerCase() === language.toLowerCase()) ??
      languages.find((allowed) => primaryLanguage(allowed) === primaryLanguage(language))
    );
  }
}

/** Numbers are the same in every language. */
function countWords(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike, segment }) => isWordLike === true && /\p{L}/u.test(segment))
    .length;
}
