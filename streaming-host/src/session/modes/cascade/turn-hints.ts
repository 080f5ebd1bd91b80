/** The recogniser's hints: the active agent's, and what the agent has just asked for, or that it has only greeted so far. */
import { isDeepStrictEqual } from "node:util";
import { mayAskForOneWord } from "@voice/provider-kit/end-of-turn/expected-answer";
import type { AwaitedAnswer, RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { Conversation } from "../../conversation/conversation.ts";
import { recognitionHints } from "./recognition-hints.ts";

export class TurnHints {
  readonly #conversation: Conversation;
  readonly #callerName: (() => string | undefined) | undefined;
  #awaited: AwaitedAnswer | undefined;

  constructor(conversation: Conversation, callerName?: () => string | undefined) {
    this.#conversation = conversation;
    this.#callerName = callerName;
    this.#awaited = isOnlyGreeted(conversation) ? { type: "greeting" } : undefined;
  }

  get current(): RecognitionHints {
    return { ...recognitionHints(this.#conversation, this.#callerName), awaits: this.#awaited };
  }

  /** What the agent has just asked for: the same object until that changes. */
  get awaited(): AwaitedAnswer | undefined {
    return this.#awaited;
  }

  /** True if the hints changed and the recogniser needs them; some vendors open another connection for that. */
  expect(answer: AwaitedAnswer | undefined): boolean {
    if (isDeepStrictEqual(answer, this.#awaited)) return false;
    this.#awaited = answer;
    return true;
  }
}

/** The caller has said nothing yet, and the greeting asks for nothing that is as short as a greeting in return. */
function isOnlyGreeted(conversation: Conversation): boolean {
  if (conversation.knownHistory.some(({ role }) => role === "user")) return false;
  return !mayAskForOneWord(conversation.renderGreeting() ?? "", conversation.language);
}
