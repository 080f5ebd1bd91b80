/**
 * Two recognisers have heard one utterance: one knows the sentences that the agent expects, the other knows all words. What they agree about
 * was said. What the agent has asked for is the grammar's, because the open recogniser is weak at digits and at single words; everything
 * else is the open one's, and where the two heard nearly the same sentence, the caller is asked. Pure. Decision 051.
 */
import type { AwaitedAnswer, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { agreeOnDigits } from "./agree-on-digits.ts";
import { tokenise, withoutFillers } from "../rule-model/compare-words.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";
import { agreeOnValues } from "./agree-on-values.ts";
import type { KnownValues } from "./known-values.ts";
import { likenessOf, same, similar } from "./likeness.ts";
import type { Likeness } from "./likeness.ts";
import type { OpenText } from "./moonshine.ts";

export interface Opinions {
  /** What the grammar's recogniser made of it. */
  readonly grammar: Conclusion;
  /** What the open recogniser made of it: empty if it heard no words, undefined if it had no time. */
  readonly open: string | undefined;
  /** The digits that it has most probably heard. */
  readonly codes?: OpenText["codes"];
  readonly part?: OpenText["part"];
  /** The sentence of the agent's words that it has most probably heard, where it looked for one. */
  readonly sentence?: OpenText["sentence"];
  readonly awaits: AwaitedAnswer | undefined;
  /** A model of language answers, which understands any words: the open recogniser's are taken wherever it has some. */
  readonly opensUp: boolean;
  /** The values that the agent expects. */
  readonly known: KnownValues;
}

export interface Conclusion {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  readonly guess?: string | undefined;
  /** The words are the open recogniser's. */
  readonly isOpen?: boolean | undefined;
}

type Heard = Opinions & { readonly open: string };

/** Who decides: the first of these who can. */
const deciders: readonly ((heard: Heard) => Conclusion | undefined)[] = [
  askedDigits,
  askedGreeting,
  noWords,
  anyWords,
  loneYesOrNo,
  expectedValues,
  likeSentences,
];

export function arbitrate({ open, ...others }: Opinions): Conclusion {
  if (open === undefined) return others.grammar;
  for (const decide of deciders) {
    const conclusion = decide({ ...others, open });
    if (conclusion !== undefined) return conclusion;
  }
  return { text: open, isOpen: true };
}

function askedDigits({ grammar, open, codes, part, awaits }: Heard): Conclusion | undefined {
  if (awaits?.type !== "digits") return undefined;
  const digits = agreeOnDigits(theirsOf(grammar) ?? "", { text: open, codes, part }, awaits);
  return digits?.text === grammar.text && digits.guess === undefined ? grammar : digits;
}

function askedGreeting({ grammar, awaits }: Heard): Conclusion | undefined {
  return awaits?.type === "greeting" && grammar.text !== "" && isShort(grammar.text) ? grammar : undefined;
}

function noWords({ grammar: { text }, open }: Heard): Conclusion | undefined {
  return open === "" ? { text: "", ...(text !== "" && { guess: text }) } : undefined;
}

function anyWords({ grammar, open, opensUp }: Heard): Conclusion | undefined {
  if (!opensUp) return undefined;
  const isKnown = isExpected(grammar) && isSame(likenessOf(grammar.text, open));
  return { text: open, isOpen: true, ...(isKnown && { sentence: grammar.sentence }) };
}

/** The open recogniser writes "Yeah." and "Nah.", but also "Yes, sir." and "Now.". */
function loneYesOrNo({ grammar, open }: Heard): Conclusion | undefined {
  if (grammar.text === "" || !isShort(open)) return undefined;
  const tokens = withoutFillers(tokenise(grammar.text));
  return readYesNo(tokens) !== undefined && afterYesNo(tokens).length === 0 ? grammar : undefined;
}

function expectedValues({ grammar, open, known, sentence }: Heard): Conclusion | undefined {
  const theirs = theirsOf(grammar) ?? "";
  const agreed = agreeOnValues(theirs, open, known, sentence);
  if (agreed === undefined) return undefined;
  if (agreed.guess !== undefined) return { text: "", guess: agreed.guess };
  if (agreed.text !== undefined) return { text: agreed.text, isOpen: true };
  return grammar.text === "" ? { text: theirs } : grammar;
}

/**
 * Both agree about a sentence that the agent knows: in its own words, whose values are the ones that it can use. Where they nearly agree,
 * the caller is asked.
 */
function likeSentences({ grammar, open }: Heard): Conclusion | undefined {
  const theirs = theirsOf(grammar);
  if (theirs === undefined) return undefined;
  const isGuess = grammar.text === "";
  const likeness = likenessOf(theirs, open);
  if (isSame(likeness)) return isGuess ? { text: theirs } : grammar;
  return likeness.words >= similar && (isGuess || isExpected(grammar)) ? { text: "", guess: theirs } : undefined;
}

/** What the grammar's recogniser has heard, or would guess. */
function theirsOf({ text, guess }: Conclusion): string | undefined {
  return text === "" ? guess : text;
}

function isExpected({ text, sentence }: Conclusion): boolean {
  return text !== "" && sentence !== undefined && sentence !== "beginning";
}

function isSame({ words, hasSameNumbers }: Likeness): boolean {
  return words >= same && hasSameNumbers;
}

const shortWords = 2;

function isShort(text: string): boolean {
  return tokenise(text).length <= shortWords;
}
