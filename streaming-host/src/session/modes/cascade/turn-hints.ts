/** The recogniser's hints: the active agent's, and what the agent has just asked for, or that it has only greeted so far. */
import { mayAskForOneWord } from "@voice/provider-kit/end-of-turn/expected-answer";
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";
import { recognitionHints } from "./recognition-hints.ts";

export interface TurnHints {
  readonly current: RecognitionHints;
  /** What the agent has just asked for: the same object until that changes. */
  readonly awaited: AwaitedAnswer | undefined;
  /** True if the hints changed and the recogniser needs them; some vendors open another connection for that. */
  expect(answer: AwaitedAnswer | undefined): boolean;
}

export function createTurnHints(conversation: Conversation, callerName?: () => string | undefined): TurnHints {
  let awaited: AwaitedAnswer | undefined = isOnlyGreeted(conversation) ? { type: "greeting" } : undefined;
  return {
    get current() {
      return { ...recognitionHints(conversation, callerName), awaits: awaited };
    },
    get awaited() {
      return awaited;
    },
    expect(answer) {
      if (answer?.type === awaited?.type && digitsOf(answer) === digitsOf(awaited)) return false;
      awaited = answer;
      return true;
    },
  };
}

function digitsOf(answer: AwaitedAnswer | undefined): number | undefined {
  return answer?.type === "digits" ? answer.length : undefined;
}

/** The caller has said nothing yet, and the greeting asks for nothing that is as short as a greeting in return. */
function isOnlyGreeted(conversation: Conversation): boolean {
  if (conversation.knownHistory.some(({ role }) => role === "user")) return false;
  return !mayAskForOneWord(conversation.renderGreeting() ?? "", conversation.language);
}
