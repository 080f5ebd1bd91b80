/** What the recogniser should expect: the active agent's sentences and terms, and the caller's own name. */
import type { RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";
import { everydayWords } from "../../turn/text-kind.ts";

export function recognitionHints(
  { agent }: Conversation,
  callerName: (() => string | undefined) | undefined,
): RecognitionHints {
  const name = callerName?.();
  const { phrases, language } = agent.speech;
  return {
    examples: withEverydayWords(agent.examples),
    phrases: name === undefined ? phrases : [...phrases, name],
    ...(language !== undefined && { language }),
  };
}

/** 8 KB for an agent with many tools: one list serves all sessions. */
const known = new WeakMap<readonly string[], readonly string[]>();

function withEverydayWords(examples: readonly string[]): readonly string[] {
  const all = known.get(examples) ?? [...examples, ...everydayWords];
  known.set(examples, all);
  return all;
}
