/** Finds the passages that may answer a question: by words, and by meaning where they have vectors. */
import { create, insert, search } from "@orama/orama";
import type { AnyOrama, Tokenizer } from "@orama/orama";
import type { Passage } from "@voice/shared/knowledge/knowledge-source";
import { inSlices } from "@voice/shared/platform/steps";
import type { Steps } from "@voice/shared/platform/steps";

/** Four passages answer nearly everything that one question asks. */
const mostPassages = 4;
/**
 * How much of the question has to be in a passage, each word weighed by how rare it is in the documents. A word that no document has weighs
 * as much as the rarest, so a question of which only an everyday word occurs is not answered.
 */
const leastCoverage = 1 / 3;
/** Cosine. Embeddings of unrelated sentences are below 0.3 with OpenAI's models, and those that answer a question mostly above 0.4. */
const leastSimilarity = 0.4;

export interface IndexedPassage extends Passage {
  readonly vector?: readonly number[] | undefined;
}

export interface PassageIndex {
  /** `vector`: of the question, where the passages have vectors. */
  find(question: string, vector?: readonly number[]): Promise<readonly Passage[]>;
}

/** In slices, because passages are indexed again during calls once they have vectors; a thousand of them take seconds. */
export async function createPassageIndex(
  passages: readonly IndexedPassage[],
  language: string | undefined,
): Promise<PassageIndex> {
  const words = await searchTerms(language);
  const dimensions = passages[0]?.vector?.length;
  const database: AnyOrama = create({
    schema: {
      title: "string",
      text: "string",
      ...(dimensions !== undefined && { vector: `vector[${dimensions}]` }),
    },
    components: { tokenizer: words.tokenizer },
  });
  const ids = await inSlices(ofEach(passages, (passage) => insert(database, { ...passage })));
  const position = new Map(ids.map((id, index) => [id, index]));
  const counts = new Map<string, number>();
  const wordsOf = await inSlices(
    ofEach(passages, ({ title, text }) => {
      const some = new Set(words.of(`${title} ${text}`));
      for (const word of some) counts.set(word, (counts.get(word) ?? 0) + 1);
      return some;
    }),
  );
  const rarity = (word: string): number => Math.log(1 + passages.length / (counts.get(word) ?? 1));

  const coverage = (question: readonly string[], index: number): number => {
    let found = 0;
    let all = 0;
    for (const word of question) {
      all += rarity(word);
      if (wordsOf[index]?.has(word) === true) found += rarity(word);
    }
    return all === 0 ? 0 : found / all;
  };
  return {
    async find(question, vector) {
      const asked = [...new Set(words.of(question))];
      const byMeaning = vector !== undefined && dimensions === vector.length;
      const { hits } = await search(database, {
        term: question,
        // Passages with any of the words are looked at; which of them are near enough is decided below.
        threshold: 1,
        limit: mostPassages,
        boost: { title: 2 },
        ...(byMeaning && {
          mode: "hybrid",
          vector: { value: [...vector], property: "vector" },
          similarity: leastSimilarity,
          hybridWeights: { text: 0.4, vector: 0.6 },
        }),
      });
      return hits.flatMap(({ id }) => {
        const index = position.get(id);
        const passage = index === undefined ? undefined : passages[index];
        if (index === undefined || passage === undefined) return [];
        const isNear = byMeaning && similarity(vector, passage.vector ?? []) >= leastSimilarity;
        if (!isNear && coverage(asked, index) < leastCoverage) return [];
        const { text, title, source } = passage;
        return [{ text, title, source }];
      });
    },
  };
}

function* ofEach<Result>(
  passages: readonly IndexedPassage[],
  make: (passage: IndexedPassage) => Result,
): Steps<readonly Result[]> {
  const results: Result[] = [];
  for (const passage of passages) {
    results.push(make(passage));
    yield;
  }
  return results;
}

function similarity(left: readonly number[], right: readonly number[]): number {
  let product = 0;
  let leftSquare = 0;
  let rightSquare = 0;
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0;
    product += value * other;
    leftSquare += value * value;
    rightSquare += other * other;
  }
  return product / (Math.sqrt(leftSquare * rightSquare) || 1);
}

interface LanguageWords {
  readonly stemmer: (word: string) => string;
  readonly stopwords: readonly string[];
}

/** The languages whose words are reduced to stems. In others, words are compared as they are written. */
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

interface Words {
  readonly of: (text: string) => string[];
  readonly tokenizer: Tokenizer;
}

/**
 * The words of a text by which it is found: without those that every sentence has, and reduced to their stems. `language`: a BCP 47 tag; English
 * if absent.
 */
async function searchTerms(language = "en"): Promise<Words> {
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
