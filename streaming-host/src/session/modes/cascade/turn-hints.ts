/** The recogniser's hints: the active agent's, and what the agent has just asked for. */
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";
import { recognitionHints } from "./recognition-hints.ts";

export interface TurnHints {
  readonly current: RecognitionHints;
  /** What the agent has just asked for; called at every event of a conversation. */
  readonly awaited: AwaitedAnswer | undefined;
  /** True if the hints changed and the recogniser needs them; some vendors open another connection for that. */
  expect(answer: AwaitedAnswer | undefined): boolean;
}

export function createTurnHints(conversation: Conversation, callerName?: () => string | undefined): TurnHints {
  let awaited: AwaitedAnswer | undefined;
  return {
    get current() {
      return { ...recognitionHints(conversation, callerName), awaits: awaited };
    },
    get awaited() {
      return awaited;
    },
    expect(answer) {
      const isSame = answer?.type === awaited?.type && answer?.length === awaited?.length;
      awaited = answer;
      return !isSame;
    },
  };
}
