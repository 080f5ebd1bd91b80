/** What an agent's last words ask for, read from the words: a model with weights does not say it in any other way. */
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import { toWords } from "./spoken-words.ts";

const beginsYesNo =
  /^(?:and |so |then |or )*(?:is|are|am|do|does|did|was|were|can|could|shall|should|would|will|have|has|had|may|might|anything else|ready|correct|right|okay)\b/;

const asksForCode =
  /\b(?:digits?|(?:account|card|phone|policy|claim|security|reference|customer|member) number|pin|zip ?code|post(?:al)? ?code|(?:security|verification|access) code)\b/;

export function expectedAnswer(agentText: string): Expected {
  const sentences = agentText.split(/(?<=[.?!])\s+/).filter((sentence) => sentence.trim() !== "");
  const last = sentences.at(-1)?.toLowerCase().trim() ?? "";
  const isQuestion = last.endsWith("?");
  if (asksForCode.test(last) && (isQuestion || /\b(?:please|tell|read|give|enter|say|need)\b/.test(last)))
    return { kind: "digits", length: lengthIn(last) };
  if (!isQuestion) return { kind: "nothing" };
  const words = toWords(last);
  if (words.includes("or")) return { kind: "choice", words: new Set(words) };
  return beginsYesNo.test(last) ? { kind: "yes-or-no" } : { kind: "anything" };
}

const counts = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "the last four digits", "the 6 digits". */
function lengthIn(sentence: string): number | undefined {
  const [, written] = /\b(\d{1,2}|[a-z]+)[- ]digits?\b/.exec(sentence) ?? [];
  if (written === undefined) return undefined;
  const count = /^\d+$/.test(written) ? Number(written) : counts.indexOf(written);
  return count > 0 ? count : undefined;
}
