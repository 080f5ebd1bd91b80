/** The words of a text by which it is found: without those that every sentence has, and reduced to their stems. */
import type { Tokenizer } from "@orama/orama";

interface LanguageWords {
  readonly stemmer: (word: string) => string;
  readonly stopwords: readonly string[];
}

/** In other languages words are compared as they are written. */
const languages: Readonly<Record<string, () => Promise<LanguageWords>>> = {
  da: async () => ({ ...(await import("@orama/stemmers/danish")), ...(await import("@orama/stopwords/danish")) }),
  de: async () => ({ ...(await import("@orama/stemmers/german")), ...(await import("@orama/stopwords/german")) }),
  en: async () => ({ ...(await import("@orama/stemmers/english")), ...(await import("@orama/stopwords/english")) }),
  es: async () => ({ ...(await import("@orama/stemmers/spanish")), ...(await import("@orama/stopwords/spanish")) }),
  fi: async () => ({ ...(await import("@orama/stemmers/finnish")), ...(await import("@orama/stopwords/finnish")) }),
  fr: async () => ({ ...(await import("@orama/stemmers/french")), ...(await import("@orama/stopwords/french")) }),
  it: async () => ({ ...(await import("@orama/stemmers/italian")), ...(await import("@orama/stopwords/italian")) }),
  nl: async () => ({ ...(await import("@orama/stemmers/dutch")), ...(await import("@orama/stopwords/dutch")) }),
  pt: async () => ({
    ...(await import("@orama/stemmers/portuguese")),
    ...(await import("@orama/stopwords/portuguese")),
  }),
  sv: async () => ({ ...(await import("@orama/stemmers/swedish")), ...(await import("@orama/stopwords/swedish")) }),
};

export interface Words {
  readonly of: (text: string) => string[];
  readonly tokenizer: Tokenizer;
}

/** `language`: a BCP 47 tag; English if absent. */
export async function searchTerms(language = "en"): Promise<Words> {
  const code = language.toLowerCase().split("-")[0] ?? "en";
  const { stemmer, stopwords } = (await languages[code]?.()) ?? { stemmer: (word: string) => word, stopwords: [] };
  const segmenter = new Intl.Segmenter(code, { granularity: "word" });
  const everyday = new Set(stopwords);
  const of = (text: string): string[] => {
    const words: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase().normalize("NFKC")))
      if (isWordLike === true && !everyday.has(segment)) words.push(stemmer(segment));
    return words;
  };
  return { of, tokenizer: { language: code, normalizationCache: new Map(), tokenize: of } };
}
