/** What the recogniser should expect: the active agent's sentences and terms, and the caller's own name. */
import type { RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";

export function recognitionHints(
  { agent, language: pack }: Conversation,
  callerName: (() => string | undefined) | undefined,
): RecognitionHints {
  const { language } = agent.speech;
  return {
    examples: withEverydayWords(agent.examples, pack.turnWords.everyday),
    phrases: expectedPhrases(agent, callerName),
    ...(language !== undefined && { language }),
  };
}

/** TURN-14: the agent's names and terms, and the caller's name. */
export function expectedPhrases(
  { speech }: Conversation["agent"],
  callerName: (() => string | undefined) | undefined,
): readonly string[] {
  const name = callerName?.();
  return name === undefined ? speech.phrases : [...speech.phrases, name];
}

/** 8 KB for an agent with many tools: one list serves all sessions. */
const known = new WeakMap<readonly string[], WeakMap<readonly string[], readonly string[]>>();

function withEverydayWords(examples: readonly string[], everyday: readonly string[]): readonly string[] {
  const inLanguage = known.get(everyday) ?? new WeakMap<readonly string[], readonly string[]>();
  known.set(everyday, inLanguage);
  const all = inLanguage.get(examples) ?? [...examples, ...everyday];
  inLanguage.set(examples, all);
  return all;
}
