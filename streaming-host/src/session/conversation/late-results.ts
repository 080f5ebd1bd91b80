/**
 * EFFECT-18: tools that still run when their session goes on in this process, over another socket. Their results go to the newest conversation of
 * the session, which has only noted that they are not known.
 */
import { isUnknownResult } from "@voice/shared/conversation/settled-results";
import { withdrawnMessage } from "@voice/shared/conversation/withdrawn-effects";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";

export interface LateResult {
  readonly call: ToolCall;
  /** The result as JSON. */
  readonly content: string;
  readonly turnId: string;
}

/** A conversation that may wait for results. */
interface AwaitingConversation {
  readonly sessionId: string;
  readonly lateResults: LateResults;
  append(items: readonly HistoryItem[]): void;
  remember(memory: Readonly<Record<string, unknown>>): void;
}

/** The newest conversation of each session in this process. */
export type NewestConversations = Map<string, AwaitingConversation>;

export class LateResults {
  readonly #conversation: AwaitingConversation;
  readonly #history: () => readonly HistoryItem[];
  readonly #newest: NewestConversations | undefined;
  #listener: ((result: LateResult) => void) | undefined;

  /** `newest`: the newest conversation of each session in this process, which this one becomes. */
  constructor(
    conversation: AwaitingConversation,
    history: () => readonly HistoryItem[],
    newest: NewestConversations | undefined,
  ) {
    this.#conversation = conversation;
    this.#history = history;
    this.#newest = newest;
    newest?.set(conversation.sessionId, conversation);
  }

  /** The conversation with which the session continues; undefined if that is this one. */
  get successor(): AwaitingConversation | undefined {
    const newest = this.#newest?.get(this.#conversation.sessionId);
    return newest === this.#conversation ? undefined : newest;
  }

  /** `listener`: called when the result of a call becomes known. */
  watch(listener: (result: LateResult) => void): void {
    this.#listener = listener;
  }

  /** False if the conversation does not wait for any of these results. */
  take(items: readonly HistoryItem[]): boolean {
    const unknown = new Set(
      this.#history()
        .filter(isUnknownResult)
        .map(({ toolCallId }) => toolCallId),
    );
    const calls = items.flatMap(({ toolCalls = [] }) => toolCalls);
    const results = items.filter(({ role, toolCallId }) => role === "tool" && unknown.has(toolCallId));
    if (results.length === 0) return false;
    const known = results.map(({ effects, ...result }) =>
      effects === undefined ? result : { ...result, content: notDone },
    );
    this.#conversation.append(known);
    for (const { toolCallId, content, turnId } of known) {
      const call = calls.find(({ id }) => id === toolCallId);
      if (call !== undefined) this.#listener?.({ call, content, turnId });
    }
    return true;
  }

  /** The session has left this process, or is over. */
  forget(): void {
    if (this.successor === undefined) this.#newest?.delete(this.#conversation.sessionId);
  }
}

/** What a tool asked the host for is not done for a conversation that goes on elsewhere. */
const notDone = JSON.stringify({
  success: false,
  error: "broke_off" satisfies Withdrawal,
  message: withdrawnMessage("broke_off"),
});
