/**
 * Runs a realtime model's replies: plays its audio, runs its tools and stores what was heard. A reply lasts until all
 * of it was heard; the follow-up response after a tool call continues it.
 */
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import { replyCancelled } from "../../../pipeline/reply-cancelled.ts";
import { askedEffects } from "../../../pipeline/asked-effects.ts";
import type { Agent } from "@voice/shared/catalog/agent";
import { withdrawalOn } from "../../conversation/withdraw-effects.ts";
import { isLastWords } from "../../turn/turn-effects.ts";
import type { CancelReason, ReplyPlan } from "../../turn/turn-effects.ts";
import type { SessionReplies } from "../session-replies.ts";
import { apologise } from "./apologise.ts";
import { afterResponse } from "./after-response.ts";
import { EarlyResponses } from "./early-responses.ts";
import { keepHeard, keepTyped, settleReplyEffects } from "./keep-heard.ts";
import type { HeardReply } from "./keep-heard.ts";
import { ModelRequests, nextRequest, requestMore } from "./model-request.ts";
import { awaitsTools, completeReply, makeReplyParts, openRealtimeReply } from "./realtime-reply.ts";
import type { LostReply, RealtimeRepliesOptions, RealtimeReply, ReplyParts } from "./realtime-reply.ts";
import { silentRealtimeModel, silentTools } from "../../output/silent-part.ts";
import type { SilentPart } from "../../output/silent-part.ts";
import { runToolCalls, succeed, takeEffects } from "./realtime-tools.ts";
import { bridgeTools, sayFiller } from "./bridge-wait.ts";
import { beginActivity, endActivity } from "./response-activity.ts";
import type { ResponseEnd, ResponseEvent, ResponseStart } from "./response-event.ts";
import { placeOf } from "./response-place.ts";
import type { ResponsePlace } from "./response-place.ts";
import { endOfTooMuch, ResponseSize } from "./response-size.ts";
import { showWords } from "./show-words.ts";

export class RealtimeReplies implements SessionReplies {
  readonly #options: RealtimeRepliesOptions;
  readonly #requests: ModelRequests;
  #open: RealtimeReply | undefined;
  #next: { readonly agent: Agent; readonly parts: ReplyParts } | undefined;
  /** Undefined while none run. */
  #tools: Promise<void> | undefined;
  /** It was lost with its connection, and the reply that begins next is requested in its place. */
  #lost: RealtimeReply | undefined;
  #lookUps = new AbortController();
  readonly #early = new EarlyResponses();

  constructor(options: RealtimeRepliesOptions) {
    this.#options = options;
    this.#requests = new ModelRequests(options.conversation, options.announcement);
  }

  get isReplying(): boolean {
    return this.#open !== undefined;
  }

  /** The reply is not complete yet. */
  get isUnfinished(): boolean {
    return this.#open?.isComplete === false;
  }

  get silentPart(): SilentPart {
    const running = this.#open?.runningTools ?? [];
    return running.length > 0 ? silentTools(running) : silentRealtimeModel;
  }

  /** Resolves once running tools have finished and their results are in the history. */
  get settled(): Promise<void> {
    return this.#tools ?? Promise.resolve();
  }

  /** A response that came too early waits for its turn. */
  get hasEarly(): boolean {
    return !this.#early.isEmpty;
  }

  begin(plan: ReplyPlan): void {
    const { conversation, playout } = this.#options;
    const open = openRealtimeReply(plan, this.#takeParts(), this.#lookUps.signal);
    this.#open = open;
    if (plan.text !== "" && plan.kind === "answer") keepTyped(open, this.#options); // HIST-1
    if (plan.origin === "taken-over")
      takeEffects(open, askedEffects(unansweredTurn(conversation.modelHistory)?.since ?? []), this.#options);
    if (plan.origin === "lost-connection" && this.#lost !== undefined) succeed(this.#lost, open, this.#options);
    this.#lost = undefined;
    playout.play(open.track, plan.turnId);
    if (plan.origin === "service") this.#takeEarly(open);
    else this.#askOnceKnown(open);
    // A farewell does not wait for a connection, because there may be none any more.
    if (!open.isAsked && isLastWords(plan.kind)) this.#options.onFailed(plan.turnId);
  }

  /** The first is this reply; another one after it waits on, or its tools would outlive the reply that they belong to. */
  #takeEarly(open: RealtimeReply): void {
    if (this.#early.isEmpty) return;
    if (this.#tools !== undefined && awaitsTools(open)) {
      this.forgetEarly();
      this.#refuse(open);
      return;
    }
    for (const event of this.#early.take())
      if (event.type === "response-started" && open.responses.size > 0) this.#early.begin(event);
      else this.onEvent(event);
  }

  /** The model would call the tools again whose results it does not know yet. */
  #askOnceKnown(open: RealtimeReply): void {
    if (open.plan.kind === "answer" && this.#tools !== undefined) void this.#tools.then(() => this.#ask(open));
    else this.#ask(open);
  }

  #ask(open: RealtimeReply): void {
    if (open !== this.#open || open.isAsked) return;
    open.isAsked = this.#options.link((session) => {
      if (open.instructions === undefined) this.#requests.ask(session, open, { knowsWords: open.isTold });
      else session.respond(nextRequest(open));
    });
  }

  /** True if this response, which begins, is not part of the open reply: it waits until that was heard. */
  isEarly(event: ResponseStart): boolean {
    if (this.#placeOf(event) !== "early") return false;
    this.#early.begin(event);
    return true;
  }

  #placeOf(event: ResponseStart): ResponsePlace | undefined {
    return this.#open && placeOf(event, this.#open, { toolsRun: this.#tools !== undefined });
  }

  /** A connection has opened: sends requests that could not be sent before. False if there are none. */
  askAgain(): boolean {
    const open = this.#open;
    if (open === undefined || open.isAsked) return false;
    open.isTold = true; // by the history
    this.#ask(open);
    return open.isAsked;
  }

  /** Nobody is to hear them. */
  forgetEarly(): void {
    this.#early.forget(this.#options.link);
  }

  onEvent(event: ResponseEvent): void {
    if (this.#early.keep(event)) return;
    const open = this.#open;
    if (open === undefined) return; // a late event of a reply that was interrupted
    if (event.type === "response-started") {
      if (this.#placeOf(event) === "refused") {
        this.#refuse(open);
        return;
      }
      open.responses.add(event.responseId);
      open.size = new ResponseSize();
      beginActivity(open, this.#options.clock.now());
    } else if (event.type === "word") open.words.addWord(event.itemId, event.text, event.endMs);
    else if (open.responses.has(event.responseId)) {
      this.#take(open, event);
      this.#boundResponse(open, event);
    }
  }

  /** FILL-1. */
  async sayFiller(): Promise<void> {
    const open = this.#open;
    if (open !== undefined) await sayFiller(open, () => open !== this.#open, this.#options);
  }

  fillPause(): boolean {
    return this.#open !== undefined && bridgeTools(this.#open, this.#options);
  }

  onAudible(): void {
    const open = this.#open;
    if (open === undefined) return;
    open.timeline.reach(open.answerFrom === undefined ? "filler_ms" : "first_audio_ms", this.#options.clock.now());
    if (open.plan.kind !== "announcement") this.#options.conversation.markVisited();
  }

  onDrained(): void {
    const open = this.#open;
    if (open === undefined) return;
    if (open.broken !== undefined) this.#options.onFailed(open.plan.turnId, open.broken);
    else this.#finish(open, { parts: open.words.heard(), samples: open.track.length, ending: "complete" });
  }

  /** Stops the playout and has the model forget what was not heard (HIST-4). */
  cancel(reason: CancelReason): void {
    const { playout, link, notify, recorder, sampleRateHz } = this.#options;
    const open = this.#open;
    if (open === undefined) return;
    const heardMs = playout.heardMs();
    playout.stop();
    const isAskedAgain = open.isDropped && reason === "dead_air";
    open.withdrawal = isAskedAgain ? undefined : withdrawalOn(reason);
    if (isAskedAgain) this.#lost = open;
    open.abort.abort(replyCancelled);
    if (reason !== "barge_in") this.#dropLookUps();
    const { plan } = open;
    link((session) => {
      if (reason !== "ended") this.#requests.tellUnasked(session, open);
      session.cancelResponse();
      for (const cut of open.words.cuts(heardMs)) session.truncate(cut.itemId, cut.heardMs, cut.heard);
    });
    if (this.hasEarly && reason !== "ended") this.#options.onAnswerLost();
    this.forgetEarly();
    const { kind, turnId } = plan;
    if (kind === "announcement" && reason !== "ended") recorder.abandon();
    if (reason === "barge_in") notify({ type: "event", payload: { name: "barge_in", turn_id: turnId, reason } });
    const samples = (heardMs * sampleRateHz) / 1000;
    this.#finish(open, { parts: open.words.heard(heardMs), samples, ending: reason });
  }

  /** The connection is lost, with everything that had not arrived. Returns the affected reply. */
  drop(): LostReply | undefined {
    this.forgetEarly();
    const open = this.#open;
    if (open === undefined || !open.isAsked) return undefined;
    open.isDropped = true;
    const { isComplete, plan, toolRounds } = open;
    if (isComplete) return undefined;
    return { turnId: plan.turnId, isUnasked: plan.origin === "service", hasRunTools: toolRounds > 0 };
  }

  close(): void {
    this.#dropLookUps();
    this.cancel("ended"); // the caller is gone, or continues on another host, which does what was asked for
  }

  #dropLookUps(): void {
    this.#lookUps.abort(replyCancelled);
    this.#lookUps = new AbortController();
  }

  #takeParts(): ReplyParts {
    const { agent } = this.#options.conversation;
    const parts = this.#next?.agent === agent ? this.#next.parts : makeReplyParts(agent);
    this.#next = undefined;
    return parts;
  }

  #take(open: RealtimeReply, event: Exclude<ResponseEvent, { type: "response-started" | "word" }>): void {
    const { clock, playout, sampleRateHz, onProgress } = this.#options;
    switch (event.type) {
      case "audio":
        open.timeline.reach("synthesis_first_audio_ms", clock.now());
        open.answerFrom ??= open.track.length;
        if (!open.awaitsNotice) open.owesWords = false;
        open.words.addAudio(event.itemId, (event.samples.length * 1000) / sampleRateHz);
        open.track.write(event.samples);
        // After a filler the track is playing already, so the answer is heard as soon as the filler ends.
        if (open.answerFrom > 0)
          open.timeline.reach("first_audio_ms", clock.now() + playout.untilHeardMs(open.answerFrom));
        playout.pump();
        this.#noteWritten(open); // the caller waits for the audio, and nobody for this
        onProgress();
        return;
      case "agent-text":
        open.timeline.reach("model_first_token_ms", clock.now());
        this.#noteWritten(open);
        showWords(open, open.words.addText(event.itemId, event.delta), this.#options);
        return;
      case "agent-text-finished":
        showWords(open, open.words.endText(event.itemId, event.text), this.#options);
        return;
      case "tool-call":
        open.calls.push(event.call);
        return;
      case "audio-finished":
        return;
      case "response-finished":
        if (event.usage !== undefined) open.timeline.addUsage(event.usage);
        endActivity(open, event, clock.now());
        this.#endResponse(open, event);
    }
  }

  /** What still arrives of a response that is too long is not listened to. */
  #boundResponse(open: RealtimeReply, event: Exclude<ResponseEvent, { type: "response-started" | "word" }>): void {
    const { playout, sampleRateHz, link } = this.#options;
    if (event.type === "response-finished" || open !== this.#open) return;
    const unheardMs = (open.track.length * 1000) / sampleRateHz - playout.heardMs();
    const excess = open.size.add(event, unheardMs);
    if (excess === undefined) return;
    const { responseId } = event;
    open.responses.delete(responseId);
    link((session) => session.cancelResponse());
    this.#take(open, { type: "response-finished", responseId, ...endOfTooMuch[excess] });
  }

  #noteWritten(open: RealtimeReply): void {
    if (open.isWritten) return;
    open.isWritten = true;
    this.#options.onWritten(open.plan.turnId);
  }

  #endResponse(open: RealtimeReply, end: ResponseEnd): void {
    const next = afterResponse(open, end);
    if (end.status !== "completed" || next.type === "fail") open.calls = [];
    switch (next.type) {
      case "go-on":
        open.awaitsNotice = false;
        open.notice?.resolve(undefined);
        return;
      case "request":
        requestMore(open, next.what, this.#options);
        return;
      case "run-tools":
        open.toolRounds++;
        this.#runTools(open);
        return;
      case "say-again":
        open.timesCutOff++;
        this.#options.link((session) => this.#requests.ask(session, open, { knowsWords: true }));
        return;
      case "apologise":
        apologise(open, next.for, this.#options);
        return;
      case "fail":
        this.#options.onFailed(open.plan.turnId, next.error);
        return;
      case "complete":
        completeReply(open, next.broken, this.#options);
    }
  }

  #runTools(open: RealtimeReply): void {
    const before = this.#tools;
    const running = runToolCalls(open, this.#options)
      .then(() => before)
      .finally(() => {
        if (this.#tools === running) this.#tools = undefined;
      });
    this.#tools = running;
  }

  /** The service has begun it unasked. With it everything is called off that was requested, so the reply's own is requested anew. */
  #refuse(open: RealtimeReply): void {
    this.#options.link((session) => session.cancelResponse());
    open.notice?.resolve(undefined);
    const requestsItself = open.toolRounds > 0 && this.#tools !== undefined; // when its tools have finished
    if (!open.isAsked || requestsItself) return;
    open.isAsked = false;
    open.isTold = true;
    this.#askOnceKnown(open);
  }

  #finish(open: RealtimeReply, heard: HeardReply): void {
    const { agent } = this.#options.conversation;
    this.#open = undefined;
    const isUnheard = heard.parts.length === 0; // what is said in its place is the only trace of it
    this.#next = { agent, parts: makeReplyParts(agent, isUnheard ? open.guardrails.thatStopped : undefined) };
    keepHeard(open, heard, this.#options);
    settleReplyEffects(open, heard, this.#options);
  }
}
