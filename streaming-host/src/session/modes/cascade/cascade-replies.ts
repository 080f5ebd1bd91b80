/** Replies of a language model and a synthesiser, which may be prepared before their turn is certain (TURN-10). */
import type { Agent } from "@voice/shared/catalog/agent";
import { notUnderstoodItem } from "@voice/shared/conversation/not-understood";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { toModelMessages } from "../../../pipeline/cascade/model-messages.ts";
import { callerItem } from "../../conversation/caller-item.ts";
import { captionSentences } from "../../output/caption-sentences.ts";
import { isAnswer } from "../../output/finished-reply.ts";
import { silentModel, silentTools, silentVoice } from "../../output/silent-part.ts";
import type { SilentPart } from "../../output/silent-part.ts";
import type { HeardWords } from "../../output/finished-reply.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import { Replies } from "../../reply/replies.ts";
import type { Heard } from "../../reply/replies.ts";
import type { CancelReason, ReplyPlan } from "../../turn/turn-effects.ts";
import { CascadeReply } from "./cascade-reply.ts";
import type { CascadeReplyEvents, Recognition, ReplyContent, ReplyOptions } from "./cascade-reply.ts";
import { LateTools } from "./late-tools.ts";
import { ReplyContents } from "./reply-content.ts";

export interface CascadeRepliesOptions extends Pick<CascadeReplyEvents, "onWhole" | "onAwaits"> {
  readonly reply: Omit<ReplyOptions, "catalog">;
  /** Words that the agent speaks before its first reply. */
  readonly opener: string | undefined;
  /** When the turn that is being answered was recognised; undefined if it was typed. */
  readonly takeRecognition: () => Recognition | undefined;
}

export class CascadeReplies extends Replies<CascadeReply> {
  readonly #options: CascadeRepliesOptions;
  readonly #events: CascadeReplyEvents;
  readonly #contents: ReplyContents;
  readonly #lateTools: LateTools;
  #prepared: CascadeReply | undefined;
  #heardLast = "";
  /** Prepared answers that were discarded since the last answer. */
  #discarded = 0;

  constructor(context: ReplyContext, options: CascadeRepliesOptions) {
    super(context);
    this.#options = options;
    this.#contents = new ReplyContents(context.conversation, context.fixedWords, options.opener);
    this.#lateTools = new LateTools(context.conversation);
    const { onWhole, onAwaits } = options;
    this.#events = {
      onWhole,
      onAwaits,
      onFailed: (reply, failure, error) => {
        // A prepared reply that failed is tried again when its turn ends, so the failure is not reported.
        if (reply.hasBegun) reply.fail(failure, error);
        else if (this.#prepared === reply) this.#prepared = undefined;
      },
      onToolsFinished: (reply, items) => this.#lateTools.finished(reply, items),
    };
  }

  /** While the current reply has no words yet, these are the words of the one before it. */
  get lastWords(): string {
    const text = this.current?.track.text ?? "";
    return text === "" ? this.#heardLast : text;
  }

  get silentPart(): SilentPart {
    if (this.current?.waitsForVoice === true) return silentVoice;
    const awaited = [...(this.current?.runningTools ?? []), ...this.#lateTools.names];
    return awaited.length > 0 ? silentTools(awaited) : silentModel;
  }

  prepare(text: string): void {
    this.discardPrepared();
    this.#prepared = this.#start(this.#contents.answerTo(text));
    this.#prepared.markPrepared();
  }

  discardPrepared(): void {
    if (this.#prepared === undefined) return;
    this.#prepared.cancel();
    this.#prepared.track.release();
    this.#prepared = undefined;
    this.#discarded++;
  }

  override close(): void {
    this.discardPrepared();
    this.#lateTools.drop();
    super.close();
  }

  protected open(plan: ReplyPlan): CascadeReply {
    const prepared = plan.prepared ? this.#prepared : undefined;
    if (prepared !== undefined) this.#prepared = undefined;
    const reply = prepared ?? this.#start(this.#contents.contentOf(plan));
    this.discardPrepared();
    return reply;
  }

  /** A prepared answer is heard from here on, and nobody waits for what follows. */
  protected onBegun(reply: CascadeReply): void {
    const { conversation } = this.context;
    const { plan } = reply;
    if (plan.kind === "greeting") conversation.markVisited();
    reply.commit();
    if (!isAnswer(plan)) return;
    reply.markEndOfTurn(this.#options.takeRecognition());
    if (this.#discarded > 0) reply.timeline.add("preparations_discarded", this.#discarded);
    this.#discarded = 0;
    if (plan.origin !== "taken-over") conversation.append([this.#callerSaid(plan, reply.agent)]); // HIST-1
  }

  protected sayBefore(reply: CascadeReply, filler: string): void {
    reply.bridge(filler);
  }

  protected sayInPause(reply: CascadeReply, filler: string): void {
    reply.bridge(filler);
  }

  protected stop(reply: CascadeReply, reason: CancelReason): void {
    this.#lateTools.leave(reply);
    reply.cancel({ keepsLookUps: reason === "barge_in" && reply.lookingUp.length > 0 });
  }

  protected wordsOf(reply: CascadeReply, { text }: Heard): HeardWords {
    const heard = reply.heardOfBroken ?? text;
    if (heard !== "") this.#heardLast = heard;
    const parts = reply.partsOf(heard);
    return { parts, words: captionSentences(heard, parts, (textEnd) => reply.track.sampleOf(textEnd)) };
  }

  /** What the next request needs is cached where it is made, so it is made now, while nobody waits for it. */
  protected onEnded(): void {
    const { conversation } = this.context;
    toModelMessages(conversation.modelHistory);
    this.#options.reply.tools.definitions(conversation.agent);
  }

  protected create(agent: Agent): CascadeReply {
    const { catalog } = this.context.conversation;
    return new CascadeReply(this.context, agent, { ...this.#options.reply, catalog }, this.#events);
  }

  #start(content: ReplyContent): CascadeReply {
    const reply = this.takeNext();
    this.#lateTools.start(reply, content);
    return reply;
  }

  #callerSaid({ kind, text, turnId }: ReplyPlan, agent: string): HistoryItem {
    const timestampMs = this.context.clock.wallNow();
    if (kind === "clarification")
      return notUnderstoodItem({ agent, turnId, timestampMs }, text === "" ? undefined : text);
    return callerItem({ text, agent, turnId, timestampMs });
  }
}
