/** What the recogniser is told to expect: whom it listens to, and what the agent has just asked for. */
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";
import { recognitionHints } from "./recognition-hints.ts";

export interface TurnHints {
  readonly current: RecognitionHints;
  /** What the agent has just asked for; asked at every event of a conversation. */
  readonly awaited: AwaitedAnswer | undefined;
  /** True when the recogniser has to hear of it; some vendors open another connection for that. */
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
