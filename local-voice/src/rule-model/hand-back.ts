/** A person had the conversation in the agent's place (PERSON-7). Rules cannot know what they settled, so the agent begins anew. */
import { handedBack, isHandBack } from "@voice/shared/conversation/handed-back";
import type { ModelMessage } from "@voice/provider-kit/ports/language-model";

/** What the agent says when the caller is back. It offers more help, so that "no" is a goodbye. */
export const returned = "You are speaking with me again. Is there anything else I can do for you?";

/** The messages that are for the agent; undefined if it has just been handed the conversation back, and speaks first. */
export function sinceHandBack(messages: readonly ModelMessage[]): readonly ModelMessage[] | undefined {
  const at = messages.findLastIndex(isHandBack);
  if (at === -1) return messages;
  const since = messages.slice(at + 1).filter(({ role, content }) => role !== "user" || content !== handedBack);
  return since.some(({ role }) => role !== "system") ? since : undefined;
}
