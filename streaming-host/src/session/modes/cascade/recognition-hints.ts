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
  const examples = [...agent.examples, ...everydayWords];
  return {
    examples,
    phrases: name === undefined ? phrases : [...phrases, name],
    ...(language !== undefined && { language }),
  };
}
