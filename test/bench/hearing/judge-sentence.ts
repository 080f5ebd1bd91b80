/** What an agent makes of what was heard: it acts on it, asks about it, or neither. */
import type { AgentMeanings } from "@voice/local-voice/meaning/agent-meanings";
import { matchIntents, prepareMatches } from "@voice/local-voice/rule-model/match-intent";
import { nearestRequest } from "@voice/local-voice/rule-model/nearest-request";
import { rulesOf } from "@voice/local-voice/rules/rule-set";
import type { Agent } from "@voice/shared/catalog/agent";
import type { WishSentence } from "./sentences.ts";

/** `foreign`: acted on, although no agent should. `asked`, `vain`: whether the question ("Did you say …?", "Did you mean …?") is the right one. */
export type Verdict = "right" | "asked" | "wrong" | "foreign" | "vain" | "missed";

/** `heard`: text, or a guess in its place. */
export async function judgeSentence(
  sentence: WishSentence,
  heard: { readonly text: string; readonly guess?: string | undefined },
  meanings: AgentMeanings | undefined,
): Promise<Verdict> {
  await prepareMatches(rulesOf(sentence.agent), [heard.text], Date.now(), meanings);
  const acted = judgeFound(sentence, intentIn(sentence.agent, heard.text, meanings));
  if (acted !== "missed") return acted;
  const asked = heard.guess ?? nearestTo(sentence.agent, heard.text, meanings);
  const verdict = asked === undefined ? "missed" : judgeFound(sentence, intentIn(sentence.agent, asked));
  if (verdict === "missed") return "missed";
  return verdict === "right" ? "asked" : "vain";
}

function judgeFound({ agent, intent, text }: WishSentence, found: string | undefined): Verdict {
  if (found === undefined) return "missed";
  if (intent === undefined) return "foreign";
  // Several wishes may share an example.
  const isExample = rulesOf(agent).intents.some(({ examples }) => examples.includes(text));
  return found === intent || (isExample && found === intentIn(agent, text)) ? "right" : "wrong";
}

function intentIn(agent: Agent, words: string, meanings?: AgentMeanings): string | undefined {
  return words === "" ? undefined : matchIntents(rulesOf(agent), words, Date.now(), meanings)[0]?.intent.name;
}

function nearestTo(agent: Agent, words: string, meanings?: AgentMeanings): string | undefined {
  if (words === "") return undefined;
  const handoff = () => ({ tool: "handoff", args: {} });
  return nearestRequest(words, { agent, rules: rulesOf(agent), memory: {}, todayMs: Date.now(), meanings, handoff });
}
