/**
 * Two recognisers have heard one utterance: one knows the sentences that the agent expects, the other knows all words. What they agree about
 * was said. What the agent has asked for is the grammar's, because the open recogniser is weak at digits and at single words; everything
 * else is the open one's, and where the two heard nearly the same sentence, the caller is asked. Pure. Decision 051.
 */
import type { AwaitedAnswer, SentenceState } from "@voice/provider-kit/ports/recogniser";
import { isCodeOrNothing } from "../recogniser/code-grammar.ts";
import { tokenise, withoutFillers } from "../rule-model/words.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";
import { likenessOf } from "./likeness.ts";

export interface Opinions {
  /** What the grammar's recogniser made of it. */
  readonly grammar: Conclusion;
  /** What the open recogniser made of it: empty if it heard no words, undefined if it had no time. */
  readonly open: string | undefined;
  readonly awaits: AwaitedAnswer | undefined;
  /** A model of language answers, which understands any words: the open recogniser's are taken wherever it has some. */
  readonly opensUp: boolean;
}

export interface Conclusion {
  readonly text: string;
  readonly sentence?: SentenceState | undefined;
  readonly guess?: string | undefined;
}

/** Of ten words, one or two differ: slips of one of the two, such as an article. */
const same = 0.74;
/** Half of the words are the same: the grammar may have replaced what it does not know, such as a name. */
const similar = 0.5;

export function arbitrate({ grammar, open, awaits, opensUp }: Opinions): Conclusion {
  const { text, sentence, guess } = grammar;
  if (open === undefined || open === "" || isAwaited(text, awaits)) return grammar;
  const isExpected = text !== "" && sentence !== undefined && sentence !== "beginning";
  const known = text === "" ? guess : text;
  const { words, hasSameNumbers } = known === undefined ? nothing : likenessOf(known, open);
  const isSame = words >= same && hasSameNumbers;
  if (opensUp) return { text: open, ...(isSame && isExpected && { sentence }) };
  if (isShortAnswer(text, open)) return grammar;
  // Both agree about a sentence that the agent knows: in its own words, whose values are the ones that it can use.
  if (known !== undefined && isSame) return text === "" ? { text: known } : grammar;
  if (known !== undefined && words >= similar && (isExpected || text === "")) return { text: "", guess: known };
  return { text: open };
}

const nothing = { words: 0, hasSameNumbers: false };

/** The agent has asked for it, or nobody has spoken before. */
function isAwaited(text: string, awaits: AwaitedAnswer | undefined): boolean {
  if (text === "" || awaits === undefined) return false;
  return awaits.type === "greeting" ? isShort(text) : isCodeOrNothing(text);
}

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
