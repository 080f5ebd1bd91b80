/** What the recogniser should expect: the active agent's sentences and terms, what people say anywhere, and the caller's own name. */
import type { RecognitionHints } from "../providers/ports/recogniser.ts";
import type { Conversation } from "./conversation.ts";
import { everydayWords } from "./turn/text-kind.ts";

export function recognitionHints(
  { agent }: Conversation,
  callerName: (() => string | undefined) | undefined,
): RecognitionHints {
  const name = callerName?.();
  const { phrases } = agent.speech;
  return { examples: [...agent.examples, ...everydayWords], phrases: name === undefined ? phrases : [...phrases, name] };
}
