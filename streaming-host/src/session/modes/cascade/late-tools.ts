/**
 * TOOL-3: tools that may not be cancelled go on when their reply is cut off. What the caller says next is answered when their results are
 * known: a model that knows nothing of them would call them again, and nobody would be told what they gave.
 * TOOL-10: look-ups go on as well, and the model is asked meanwhile.
 */
import { withoutWithdrawn } from "@voice/shared/conversation/withdrawn-effects";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { RunningLookUp } from "../../../pipeline/cascade/running-look-ups.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { CascadeReply, ReplyContent } from "./cascade-reply.ts";

interface LeftTools {
  readonly names: readonly string[];
  /** Undefined if one of the tools changes something. */
  readonly lookUp: RunningLookUp | undefined;
  readonly resolve: (results: readonly HistoryItem[]) => void;
}

interface WaitingReply {
  readonly reply: CascadeReply;
  readonly content: Extract<ReplyContent, { type: "agent" }>;
  /** The results that have come since the reply was to start. */
  readonly results: HistoryItem[];
}

export class LateTools {
  readonly #conversation: Pick<Conversation, "memory">;
  /** The tools that run without their reply, by the reply that began them. */
  readonly #running = new Map<CascadeReply, LeftTools>();
  /** Only the newest reply: those before it were cut off. */
  #waiting: WaitingReply | undefined;

  constructor(conversation: Pick<Conversation, "memory">) {
    this.#conversation = conversation;
  }

  get names(): readonly string[] {
    return [...this.#running.values()].flatMap(({ names }) => names);
  }

  /** The reply is being cut off. */
  leave(reply: CascadeReply): void {
    const { runningTools: names, lookingUp: calls } = reply;
    if (names.length === 0) return;
    const { promise: results, resolve } = Promise.withResolvers<readonly HistoryItem[]>();
    const lookUp = calls.length > 0 ? { calls, results, drop: () => reply.dropLookUps() } : undefined;
    this.#running.set(reply, { names, lookUp, resolve });
  }

  /** Starts the reply when the tools have finished; at once, if only look-ups are running, or its words are fixed. */
  start(reply: CascadeReply, content: ReplyContent): void {
    if (content.type === "fixed") return reply.start(content);
    const running = [...this.#running.values()];
    const lookUps = running.flatMap(({ lookUp }) => lookUp ?? []);
    if (lookUps.length < running.length) this.#waiting = { reply, content, results: [] };
    else reply.start({ ...content, turn: { ...content.turn, lookUps } });
  }

  /** Nobody will hear what the look-ups find. */
  drop(): void {
    for (const { lookUp } of this.#running.values()) lookUp?.drop();
  }

  /** `items`: what the tools of this reply have added to the history. */
  finished(reply: CascadeReply, items: readonly HistoryItem[]): void {
    const left = this.#running.get(reply);
    if (left === undefined) return;
    this.#running.delete(reply);
    const results = withoutWithdrawn(items).map(withoutPreamble);
    left.resolve(results);
    if (this.#waiting === undefined) return;
    this.#waiting.results.push(...results);
    if (this.#running.size > 0) return;
    const { reply: next, content, results: since } = this.#waiting;
    this.#waiting = undefined;
    const { turn } = content;
    const { memory } = this.#conversation;
    next.start({ ...content, turn: { ...turn, memory, since: [...(turn.since ?? []), ...since] } });
  }
}

/** The preamble was spoken before the caller spoke, and is not to be spoken again. */
function withoutPreamble({ preamble: _said, ...result }: HistoryItem): HistoryItem {
  return result;
}
