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
import type { OpenText } from "./moonshine.ts";

export interface Opinions {
  /** What the grammar's recogniser made of it. */
  readonly grammar: Conclusion;
  /** What the open recogniser made of it: empty if it heard no words, undefined if it had no time. */
  readonly open: string | undefined;
  /** The digits that it has most probably heard. */
  readonly code?: OpenText["code"];
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

export function arbitrate(opinions: Opinions): Conclusion {
  const { grammar, open, code, part, awaits, opensUp, known } = opinions;
  const { text, sentence, guess } = grammar;
  if (open === undefined) return grammar;
  const digits =
    awaits?.type === "digits"
      ? agreeOnDigits(text === "" ? (guess ?? "") : text, { text: open, code, part }, awaits)
      : undefined;
  if (digits !== undefined) return digits.text === text && digits.guess === undefined ? grammar : digits;
  if (awaits?.type === "greeting" && text !== "" && isShort(text)) return grammar;
  if (open === "") return { text: "", ...(text !== "" && { guess: text }) };
  const isExpected = text !== "" && sentence !== undefined && sentence !== "beginning";
  const theirs = text === "" ? guess : text;
  const { words, hasSameNumbers } = theirs === undefined ? nothing : likenessOf(theirs, open);
  const isSame = words >= same && hasSameNumbers;
  if (opensUp) return { text: open, isOpen: true, ...(isSame && isExpected && { sentence }) };
  if (isShortAnswer(text, open)) return grammar;
  const agreed = agreeOnValues(theirs ?? "", open, known, opinions.sentence);
  if (agreed !== undefined) {
    if (agreed.guess !== undefined) return { text: "", guess: agreed.guess };
    if (agreed.text !== undefined) return { text: agreed.text, isOpen: true };
    return text === "" ? { text: theirs ?? "" } : grammar;
  }
  // Both agree about a sentence that the agent knows: in its own words, whose values are the ones that it can use.
  if (theirs !== undefined && isSame) return text === "" ? { text: theirs } : grammar;
  if (theirs !== undefined && words >= similar && (isExpected || text === "")) return { text: "", guess: theirs };
  return { text: open, isOpen: true };
}

const nothing = { words: 0, hasSameNumbers: false };

/** A lone yes or no: the open recogniser writes "Yeah." and "Nah.", but also "Yes, sir." and "Now.". */
function isShortAnswer(text: string, open: string): boolean {
  if (!isShort(open)) return false;
  const tokens = withoutFillers(tokenise(text));
  return text !== "" && readYesNo(tokens) !== undefined && afterYesNo(tokens).length === 0;
}

const shortWords = 2;

function isShort(text: string): boolean {
  return tokenise(text).length <= shortWords;
}
