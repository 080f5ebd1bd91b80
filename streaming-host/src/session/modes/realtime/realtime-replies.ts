/** Replies of a realtime model. A reply lasts until all of it was heard; the follow-up response after a tool call continues it. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import { withdrawnMessage } from "@voice/shared/conversation/withdrawn-effects";
import { replyCancelled } from "../../../pipeline/reply-cancelled.ts";
import { storeCallerText } from "../../conversation/store-caller-text.ts";
import { captionSentences } from "../../output/caption-sentences.ts";
import { silentRealtimeModel, silentTools } from "../../output/silent-part.ts";
import type { SilentPart } from "../../output/silent-part.ts";
import type { HeardWords } from "../../output/finished-reply.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import { Replies } from "../../reply/replies.ts";
import type { Heard } from "../../reply/replies.ts";
import { isLastWords } from "../../turn/turn-effects.ts";
import type { CancelReason } from "../../turn/turn-effects.ts";
import { EarlyResponses } from "./early-responses.ts";
import { RealtimeReply } from "./realtime-reply.ts";
import type { RealtimeReplyOptions } from "./realtime-reply.ts";
import { remark } from "./realtime-settings.ts";
import { runTools } from "./realtime-tools.ts";
import type { RealtimeTools } from "./realtime-tools.ts";
import { awaitsTools, placeOf } from "./response-order.ts";
import type { ResponseEvent, ResponsePlace, ResponseStart } from "./response-order.ts";

export interface RealtimeRepliesOptions
  extends Omit<RealtimeReplyOptions, "runTools">, Pick<RealtimeTools, "tools" | "onRemembered"> {
  /** FILL-1: the whole phrase in the agent's voice; undefined if it could not be made, or the signal was aborted. */
  readonly makeFiller: (text: string, signal: AbortSignal) => Promise<Int16Array | undefined>;
}

export interface LostReply {
  readonly turnId: string;
  /** The service had begun the reply by itself. */
  readonly isUnasked: boolean;
  readonly hasRunTools: boolean;
}

export class RealtimeReplies extends Replies<RealtimeReply> {
  readonly #options: RealtimeRepliesOptions;
  readonly #service: RealtimeReplyOptions;
  readonly #early = new EarlyResponses();
  /** Undefined while none run. */
  #tools: Promise<void> | undefined;
  #lookUps = new AbortController();
  /** A reply that was lost with its connection. The reply that begins next is requested in its place. */
  #lost: RealtimeReply | undefined;

  constructor(context: ReplyContext, options: RealtimeRepliesOptions) {
    super(context);
    this.#options = options;
    this.#service = { ...options, runTools: (reply) => this.#runTools(reply) };
  }

  /** The reply is not complete yet. */
  get isUnfinished(): boolean {
    return this.current?.isWhole === false;
  }

  /** A response has begun that is part of the open reply. */
  get hasResponse(): boolean {
    return this.current?.hasResponse === true;
  }

  get silentPart(): SilentPart {
    const running = this.current?.runningTools ?? [];
    return running.length > 0 ? silentTools(running) : silentRealtimeModel;
  }

  get lastWords(): string {
    return this.current?.words.heard().at(-1)?.text ?? "";
  }

  /** Resolves once running tools have finished and their results are in the history. */
  get settled(): Promise<void> {
    return this.#tools ?? Promise.resolve();
  }

  /** A response that came too early waits for its turn. */
  get hasEarly(): boolean {
    return !this.#early.isEmpty;
  }

  /** True if this response, which begins, is not part of the open reply: it waits until that was heard. */
  isEarly(event: ResponseStart): boolean {
    if (this.#placeOf(event) !== "early") return false;
    this.#early.begin(event);
    return true;
  }

  /** A connection has opened: sends requests that could not be sent before. False if there are none. */
  requestOnceConnected(): boolean {
    const reply = this.current;
    if (reply === undefined || reply.isRequested) return false;
    reply.request({ isTold: true });
    return reply.isRequested;
  }

  /** Drops responses that wait for the end of the current reply, so that nobody hears them. */
  forgetEarly(): void {
    this.#early.forget(this.#options.link);
  }

  onEvent(event: ResponseEvent): void {
    if (this.#early.keep(event)) return;
    const reply = this.current;
    if (reply === undefined) return; // a late event of a reply that was interrupted
    if (event.type === "response-started") {
      if (this.#placeOf(event) === "refused") this.#refuse(reply);
      else reply.beginResponse(event.responseId);
    } else if (event.type === "word") reply.words.items.addWord(event.itemId, event.text, event.endMs);
    else reply.take(event);
  }

  override onAudible(): void {
    super.onAudible();
    if (this.current !== undefined && this.current.plan.kind !== "announcement")
      this.context.conversation.markVisited();
  }

  /** The connection is lost, with everything that had not arrived. Returns the affected reply. */
  drop(): LostReply | undefined {
    this.forgetEarly();
    const reply = this.current;
    if (reply === undefined || !reply.isRequested) return undefined;
    reply.drop();
    const { isWhole, plan, toolRounds } = reply;
    if (isWhole) return undefined;
    return { turnId: plan.turnId, isUnasked: plan.origin === "service", hasRunTools: toolRounds > 0 };
  }

  override close(): void {
    this.#dropLookUps();
    super.close();
  }

  protected create(agent: Agent, before?: RealtimeReply): RealtimeReply {
    // Where a guardrail has stopped a reply before it was heard, what is said in its place is the only trace of that.
    return new RealtimeReply(this.context, agent, this.#service, before?.guardrails.thatStopped);
  }

  protected open(): RealtimeReply {
    return this.takeNext();
  }

  protected onBegun(reply: RealtimeReply): void {
    const { conversation, clock } = this.context;
    const { kind, text, turnId, origin } = reply.plan;
    if (text !== "" && kind === "answer") storeCallerText(conversation, { turnId, text }, clock);
    if (origin === "lost-connection" && this.#lost !== undefined) reply.succeed(this.#lost);
    this.#lost = undefined;
    if (origin === "service") this.#takeEarly(reply);
    else this.#requestOnceKnown(reply);
    // A farewell does not wait for a connection, because there may be none any more.
    if (!reply.isRequested && isLastWords(kind)) reply.fail("model");
  }

  protected sayBefore(reply: RealtimeReply, filler: string): void {
    void this.#fill(reply, filler);
  }

  protected override mayFillPause(reply: RealtimeReply): boolean {
    return !reply.awaitsNotice;
  }

  protected sayInPause(reply: RealtimeReply, filler: string): void {
    reply.sayNotice(filler);
  }

  /** Has the model forget what was not heard (HIST-4). */
  protected stop(reply: RealtimeReply, reason: CancelReason, heardMs: number): void {
    if (reply.isRequestedAgain(reason)) this.#lost = reply;
    reply.abort.abort(replyCancelled);
    if (reason !== "barge_in") this.#dropLookUps();
    this.#options.link((session) => {
      if (reason !== "ended") reply.sendTyped(session);
      session.cancelResponse();
      for (const cut of reply.words.items.cuts(heardMs)) session.truncate(cut.itemId, cut.heardMs, cut.heard);
    });
    if (this.hasEarly && reason !== "ended") this.context.dispatch({ type: "answer-lost" });
    this.forgetEarly();
  }

  protected wordsOf(reply: RealtimeReply, { ms }: Heard): HeardWords | undefined {
    const parts = reply.words.heard(ms);
    const text = parts.map((part) => part.text).join(" ");
    if (!reply.hasResponse && text === "") return undefined;
    const samples = ms === undefined ? reply.track.length : (ms * this.#options.sampleRateHz) / 1000;
    // Without word times, assume that every character takes equally long.
    return { parts, words: captionSentences(text, parts, (textEnd) => (samples * textEnd) / Math.max(1, text.length)) };
  }

  /** The service has no history of ours, so it is told what it does not know. */
  protected onEnded(reply: RealtimeReply, words: HeardWords | undefined, withdrawn: Withdrawal | undefined): void {
    const { link } = this.#options;
    const text = words?.parts.map((part) => part.text).join(" ") ?? "";
    // A connection that was opened while it was heard has got the history without it, and would say it again.
    if (reply.isDropped && text !== "") link((session) => session.remember([{ role: "assistant", text }]));
    if (withdrawn !== undefined) link((session) => session.remember([remark(withdrawnMessage(withdrawn))]));
  }

  /** The first is this reply; another one after it waits on, or its tools would outlive the reply that they belong to. */
  #takeEarly(reply: RealtimeReply): void {
    if (this.#early.isEmpty) return;
    if (this.#tools !== undefined && awaitsTools(reply.soFar)) {
      this.forgetEarly();
      this.#refuse(reply);
      return;
    }
    for (const event of this.#early.take())
      if (event.type === "response-started" && reply.hasResponse) this.#early.begin(event);
      else this.onEvent(event);
  }

  /** The model would call the tools again whose results it does not know yet. */
  #requestOnceKnown(reply: RealtimeReply): void {
    if (reply.plan.kind === "answer" && this.#tools !== undefined) void this.#tools.then(() => this.#request(reply));
    else this.#request(reply);
  }

  #request(reply: RealtimeReply): void {
    if (reply === this.current) reply.request();
  }

  #placeOf(event: ResponseStart): ResponsePlace | undefined {
    return this.current && placeOf(event, this.current.soFar, { toolsRun: this.#tools !== undefined });
  }

  /** The whole phrase: the answer may begin at any moment, and half a phrase before it would be worse than none (FILL-2). */
  async #fill(reply: RealtimeReply, filler: string): Promise<void> {
    const samples = await this.#options.makeFiller(filler, reply.abort.signal);
    if (samples === undefined || reply.isWritten || reply !== this.current) return;
    reply.addFiller(filler, samples);
  }

  #dropLookUps(): void {
    this.#lookUps.abort(replyCancelled);
    this.#lookUps = new AbortController();
  }

  #runTools(reply: RealtimeReply): void {
    const before = this.#tools;
    const { context } = this;
    const running = runTools(reply, { ...this.#options, context, lookUps: this.#lookUps.signal })
      .then(() => before)
      .finally(() => {
        if (this.#tools === running) this.#tools = undefined;
      });
    this.#tools = running;
  }

  /** The service has begun it unasked. With it everything is called off that was requested, so the reply's own is requested anew. */
  #refuse(reply: RealtimeReply): void {
    this.#options.link((session) => session.cancelResponse());
    reply.dropNotice();
    const requestsItself = reply.toolRounds > 0 && this.#tools !== undefined; // when its tools have finished
    if (!reply.isRequested || requestsItself) return;
    reply.forgetRequest();
    this.#requestOnceKnown(reply);
  }
}
