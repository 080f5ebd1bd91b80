/**
 * TOOL-3: tools that may not be cancelled go on when their reply is cut off. What the caller says next is answered when their results are
 * known: a model that knows nothing of them would call them again, and nobody would be told what they gave.
 */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ReplyContent } from "../../../pipeline/cascade/reply.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { OpenReply } from "./open-reply.ts";

interface WaitingReply {
  readonly open: OpenReply;
  readonly content: Extract<ReplyContent, { type: "agent" }>;
  /** What the tools gave since it was to start. */
  readonly results: HistoryItem[];
}

export class LateTools {
  readonly #conversation: Pick<Conversation, "memory">;
  /** Their names, by the reply that began them. */
  readonly #running = new Map<OpenReply, readonly string[]>();
  /** Only the newest reply: those before it were cut off. */
  #waiting: WaitingReply | undefined;

  constructor(conversation: Pick<Conversation, "memory">) {
    this.#conversation = conversation;
  }

  get names(): readonly string[] {
    return [...this.#running.values()].flat();
  }

  /** The reply is being cut off. */
  leave(open: OpenReply): void {
    if (open.runningTools.length > 0) this.#running.set(open, open.runningTools);
  }

  /** Starts the reply when the tools have finished; at once, if none is running or its words are fixed. */
  start(open: OpenReply, content: ReplyContent): void {
    if (content.type === "fixed" || this.#running.size === 0) open.reply?.start(content);
    else this.#waiting = { open, content, results: [] };
  }

  /** `items`: what the tools of this reply have added to the history. */
  finished(open: OpenReply, items: readonly HistoryItem[]): void {
    if (!this.#running.delete(open) || this.#waiting === undefined) return;
    this.#waiting.results.push(...withoutWithdrawn(items).map(withoutPreamble));
    if (this.#running.size > 0) return;
    const { open: next, content, results } = this.#waiting;
    this.#waiting = undefined;
    const { turn } = content;
    const { memory } = this.#conversation;
    next.reply?.start({ ...content, turn: { ...turn, memory, since: [...(turn.since ?? []), ...results] } });
  }
}

/** It was said before the caller spoke, and is not to be said again. */
function withoutPreamble({ preamble: _said, ...result }: HistoryItem): HistoryItem {
  return result;
}
