/**
 * How near in meaning a sentence is to an agent's examples. What the encoder has made of both is kept here until it is compared, because rules are
 * compared without waiting.
 */
import { RecentlyUsed } from "@voice/shared/platform/recently-used";
import { inSlices } from "@voice/shared/platform/steps";
import { exampleWithValues } from "../rules/example-with-values.ts";
import type { AgentRules } from "../rules/rules.ts";
import { tokenise, withoutFillers } from "../rule-model/compare-words.ts";
import { ExampleMeanings } from "./example-meanings.ts";
import type { SentenceEncoder } from "./sentence-encoder.ts";
import type { SentenceVector } from "./universal-sentence-encoder.ts";
import type { Likenesses } from "./weigh-meaning.ts";

interface KnownMeaning {
  readonly examples: ExampleMeanings;
  /** The callers' sentences. */
  readonly sentences: RecentlyUsed<SentenceVector>;
}

/** For each agent, over all sessions: 2 KB each. */
const maxSentences = 300;
/** One word means too much by itself. */
const fewestWords = 3;
/** Callers' sentences wait for so many examples at most, a tenth of a second. */
const examplesAtOnce = 16;

export class AgentMeanings {
  readonly #encoder: SentenceEncoder;
  /** Weak keys, because rules live as long as a session or the process; they are immutable. */
  readonly #preparing = new WeakMap<AgentRules["intents"], Promise<KnownMeaning | undefined>>();
  readonly #known = new WeakMap<AgentRules["intents"], KnownMeaning>();
  /** Agents have many examples in common. */
  readonly #examples = new Map<string, SentenceVector>();

  constructor(encoder: SentenceEncoder) {
    this.#encoder = encoder;
  }

  /** Encodes the examples, once. Resolves to undefined where the encoder cannot: the words are compared alone then. */
  async prepare(rules: AgentRules): Promise<KnownMeaning | undefined> {
    const started = this.#preparing.get(rules.intents) ?? this.#encodeExamples(rules);
    this.#preparing.set(rules.intents, started);
    const meaning = await started;
    if (meaning === undefined) this.#preparing.delete(rules.intents);
    else this.#known.set(rules.intents, meaning);
    return meaning;
  }

  /** Encodes what callers have said, as far as it is not known yet. */
  async learn(rules: AgentRules, utterances: readonly string[]): Promise<void> {
    const meaning = await this.prepare(rules);
    if (meaning === undefined) return;
    const { sentences } = meaning;
    const wanted = utterances
      .map(plain)
      .filter((sentence) => isLongEnough(sentence) && sentences.get(sentence) === undefined);
    const vectors = wanted.length === 0 ? [] : ((await this.#encoder.encode(wanted)) ?? []);
    for (const [at, vector] of vectors.entries()) sentences.set(wanted[at] ?? "", vector, 1);
  }

  /** Undefined where the sentence, or the examples, were not encoded. */
  likeness(rules: AgentRules, utterance: string): Likenesses | undefined {
    const meaning = this.#known.get(rules.intents);
    const vector = meaning?.sentences.get(plain(utterance));
    if (meaning === undefined || vector === undefined) return undefined;
    return meaning.examples.likeness(vector);
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }

  async #encodeExamples(rules: AgentRules): Promise<KnownMeaning | undefined> {
    const written = rules.intents.flatMap((intent) =>
      intent.examples.map((example) => ({ intent: intent.name, sentence: plain(exampleWithValues(example, intent)) })),
    );
    const said = written.filter(({ sentence }) => isLongEnough(sentence));
    const wanted = [...new Set(said.map(({ sentence }) => sentence))].filter((one) => !this.#examples.has(one));
    for (let from = 0; from < wanted.length; from += examplesAtOnce) {
      const part = wanted.slice(from, from + examplesAtOnce);
      const made = await this.#encoder.encode(part);
      if (made === undefined) return undefined;
      for (const [at, vector] of made.entries()) this.#examples.set(part[at] ?? "", vector);
    }
    const examples = said.flatMap(({ intent, sentence }) => {
      const vector = this.#examples.get(sentence);
      return vector === undefined ? [] : [{ intent, vector }];
    });
    return { examples: await inSlices(ExampleMeanings.from(examples)), sentences: new RecentlyUsed(maxSentences) };
  }
}

/** In small letters, without marks and hesitations, as examples are written. */
function plain(utterance: string): string {
  return withoutFillers(tokenise(utterance)).join(" ");
}

function isLongEnough(sentence: string): boolean {
  return sentence.split(" ").length >= fewestWords;
}
