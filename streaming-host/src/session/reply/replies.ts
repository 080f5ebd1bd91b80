/**
 * Carries out the turn machine's decisions about replies: begins them, plays and cancels them, and ends them when they were heard. It makes
 * no decisions itself. What a mode does in its own way is in the abstract methods: they are where replies come from.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { StopReason } from "@voice/shared/contracts/stream/server-message";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import { requestedEffects } from "../../pipeline/requested-effects.ts";
import { unansweredTurn } from "../conversation/unanswered-turn.ts";
import type { SilentPart } from "../output/silent-part.ts";
import type { CancelReason, ReplyPlan } from "../turn/turn-effects.ts";
import { reportLine } from "../output/line-outcome.ts";
import { failedReplyNotice } from "./open-reply.ts";
import type { HeardWords } from "../output/finished-reply.ts";
import type { OpenReply, ReplyContext } from "./open-reply.ts";

const stopReasonOf = {
  barge_in: "interrupted",
  dead_air: "dead_air",
  superseded: "superseded",
  passed_on: "superseded",
  ended: "ended",
} as const satisfies Record<CancelReason, StopReason>;

/** How much of a reply was heard. */
export interface Heard {
  /** The text that was heard, as far as the track knows it. */
  readonly text: string;
  /** How long the reply was heard; absent: to its end. */
  readonly ms?: number;
}

export abstract class Replies<Reply extends OpenReply> {
  protected readonly context: ReplyContext;
  #current: Reply | undefined;
  /** The next reply, as far as it does not depend on what it answers: it is made while nobody waits for it. */
  #next: { readonly agent: Agent; readonly catalog: SessionCatalog; readonly reply: Reply } | undefined;

  constructor(context: ReplyContext) {
    this.context = context;
  }

  /** From a reply's beginning to its last heard sample. Does not include a prepared one. */
  get isReplying(): boolean {
    return this.#current !== undefined;
  }

  /** What the caller waits for. */
  abstract readonly silentPart: SilentPart;

  /** What the agent has said last, as far as known. */
  abstract readonly lastWords: string;

  begin(plan: ReplyPlan): void {
    const { conversation, playout } = this.context;
    const reply = this.open(plan);
    reply.begin(plan);
    this.#current = reply;
    playout.play(reply.track, plan.turnId);
    if (plan.origin === "taken-over")
      reply.takeEffects(requestedEffects(unansweredTurn(conversation.modelHistory)?.since ?? []));
    this.onBegun(reply);
  }

  /** FILL-1, FILL-2. */
  sayFiller(): void {
    if (this.#current?.isWritten === false) this.sayBefore(this.#current, this.context.fixedWords.nextFiller());
  }

  /**
   * FAIL-3: says a filler to a caller who waits for a tool, which has a deadline of its own. False if they wait for something else,
   * which has failed.
   */
  fillPause(): boolean {
    const reply = this.#current;
    if (reply === undefined || this.silentPart.part !== "tool" || !this.mayFillPause(reply)) return false;
    const filler = this.context.fixedWords.nextFiller();
    // The tool's own notice may have the same words.
    this.sayInPause(reply, this.lastWords.endsWith(filler) ? this.context.fixedWords.nextFiller() : filler);
    return true;
  }

  cancel(reason: CancelReason): void {
    const { playout, recorder } = this.context;
    const reply = this.#current;
    if (reply === undefined) return;
    const heard = { ms: playout.heardMs(), text: playout.stop(stopReasonOf[reason]) }; // the audio stops first (BARGE-5), everything else after it
    reply.withdraw(reason);
    this.stop(reply, reason, heard.ms);
    const { kind } = reply.plan;
    if (kind === "announcement" && reason !== "ended") recorder.abandon();
    this.#end(reply, reason, heard);
  }

  onAudible(): void {
    this.#current?.audible();
  }

  /** `text`: the track's whole text. */
  onDrained(text: string): void {
    const reply = this.#current;
    if (reply === undefined) return;
    const error = reply.drained(text);
    if (error === undefined) this.#end(reply, "complete", { text });
    else reply.fail("model", error);
  }

  /** FAIL-1. What hangs reports no error, so without this line the log would not say that the caller waited in vain. */
  reportSilence(): void {
    const { part, code, reason } = this.silentPart;
    const { logger, probe, notify } = this.context;
    logger.warn({ code, reason }, "the caller heard nothing for too long");
    probe.silent(part, { code, reason });
    notify(failedReplyNotice(code, reason));
  }

  /** The caller is gone, or continues on another host, which does what was requested. */
  close(): void {
    this.cancel("ended");
  }

  protected get current(): Reply | undefined {
    return this.#current;
  }

  /** The reply that was made ahead, or a new one. */
  protected takeNext(): Reply {
    const { agent, catalog } = this.context.conversation;
    const isAsExpected = this.#next?.agent === agent && this.#next.catalog === catalog;
    const { reply } = (isAsExpected ? this.#next : undefined) ?? { reply: this.create(agent) };
    this.#next = undefined;
    return reply;
  }

  /** A reply of this agent. `before`: nothing was heard of this one, which was the last. */
  protected abstract create(agent: Agent, before?: Reply): Reply;

  protected abstract open(plan: ReplyPlan): Reply;

  /** The reply has become the current one, and its track is played. */
  protected abstract onBegun(reply: Reply): void;

  /** Speaks the filler before the reply's own words. */
  protected abstract sayBefore(reply: Reply, filler: string): void;

  /** Speaks the filler after the words so far, while a tool runs. */
  protected abstract sayInPause(reply: Reply, filler: string): void;

  /** False while an earlier filler was requested and has not been heard. */
  protected mayFillPause(_reply: Reply): boolean {
    return true;
  }

  /** Stops whatever produces the reply. */
  protected abstract stop(reply: Reply, reason: CancelReason, heardMs: number): void;

  /** Undefined if nothing of it was shown, so that there is nothing to store. */
  protected abstract wordsOf(reply: Reply, heard: Heard): HeardWords | undefined;

  /** The reply has ended. `withdrawn`: why what its tools requested is not done. */
  protected abstract onEnded(reply: Reply, words: HeardWords | undefined, withdrawn: Withdrawal | undefined): void;

  #end(reply: Reply, ending: CancelReason | "complete", heard: Heard): void {
    this.#current = undefined;
    const words = this.wordsOf(reply, heard);
    const { line, turnId } = reply.plan;
    if (line !== undefined) reportLine(line, { turnId, ending, words }, this.context);
    const withdrawn = reply.end(ending, words);
    const { agent, catalog } = this.context.conversation;
    const before = words === undefined || words.parts.length === 0 ? reply : undefined;
    this.#next = { agent, catalog, reply: this.create(agent, before) };
    this.onEnded(reply, words, withdrawn);
  }
}
