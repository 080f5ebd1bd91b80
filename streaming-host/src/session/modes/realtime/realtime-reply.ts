/** A reply of a realtime model: one response, or several, which follow each other as tools run. */
import type { ModelToolCall } from "@voice/provider-kit/ports/language-model";
import type { ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ChosenHandoff } from "../../../pipeline/cascade/choose-handoff.ts";
import type { ToolCallOutcome } from "../../../pipeline/cascade/tool-call-outcome.ts";
import { wordsAfterCut } from "../../../pipeline/cut-answers.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import type { GuardrailHits } from "../../../pipeline/guardrail-hit.ts";
import type { GuardedPiece } from "../../../pipeline/realtime/guarded-transcript.ts";
import { ReplyWords } from "../../../pipeline/realtime/reply-words.ts";
import { usageOf } from "../../output/turn-activities.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import { OpenReply } from "../../reply/open-reply.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import type { CancelReason, ReplyPlan } from "../../turn/turn-effects.ts";
import type { Link, ModelRequests } from "./model-request.ts";
import { afterResponse, ResponseSize } from "./response-order.ts";
import type { NextMove, ReplySoFar, ResponseContent, ResponseEnd } from "./response-order.ts";

/** Words that bridge a tool's run ("one moment, please"). The service makes one response at a time. */
interface Notice {
  readonly over: PromiseWithResolvers<undefined>;
  /** The service has not ended it. */
  readonly isAwaited: boolean;
}

/** How far the reply has come, which decides what is requested of the service and what becomes of its responses. */
type ReplyPhase =
  /** Not requested yet. `knowsWords`: it was before, so the model knows what the caller typed. */
  | { readonly type: "unasked"; readonly knowsWords: boolean }
  /** Requested, or begun by the service. */
  | { readonly type: "asked" }
  | { readonly type: "running-tools"; readonly notice?: Notice | undefined }
  /** The tools have finished, and the response to what they gave waits for the end of the notice. */
  | { readonly type: "bridging"; readonly notice: Notice }
  /** All of it has arrived. */
  | { readonly type: "whole" }
  /**
   * The connection that it came from is gone: results of its tools are not sent, and the next connection does not know its words.
   * `successor`: the reply that is requested in its place there (FAIL-4).
   */
  | { readonly type: "dropped"; readonly wasWhole: boolean; readonly successor?: RealtimeReply };

export interface RealtimeReplyOptions {
  readonly sampleRateHz: number;
  readonly link: Link;
  readonly requests: ModelRequests;
  readonly runTools: (reply: RealtimeReply) => void;
  /** The model failed a reply, had nothing to say, or can no longer be reached. */
  readonly onFailed: (turnId: string, error?: VoiceError) => void;
  /** A guardrail has stopped the reply and supplies replacement words. */
  readonly onStopped: (turnId: string, text: string) => void;
}

/** Longer than any notice takes to generate; after this the service has lost it. */
const noticeLimitMs = 5000;

export class RealtimeReply extends OpenReply implements ReplySoFar {
  readonly words: ReplyWords;
  readonly abort = new AbortController();
  readonly #service: RealtimeReplyOptions;
  /** The ids of the responses that are part of the reply; late events of other responses are ignored. */
  readonly #responses = new Set<string>();
  #phase: ReplyPhase = { type: "unasked", knowsWords: false };
  #response: OpenActivity | undefined;
  #size = new ResponseSize();
  #calls: ModelToolCall[] = [];
  #timesCutOff = 0;
  /** How many of its responses have called tools, and what the calls of the last one gave. */
  #rounds: { readonly count: number; readonly ran: readonly ToolCallOutcome[] } = { count: 0, ran: [] };
  /** What the response after the tools is requested with, where there is anything to say about it. */
  #afterTools: ResponseRequest | undefined;

  constructor(context: ReplyContext, agent: Agent, service: RealtimeReplyOptions, guardrails?: GuardrailHits) {
    super(context, agent.name, guardrails);
    this.#service = service;
    this.words = new ReplyWords(agent);
  }

  get isAsked(): boolean {
    return this.#phase.type !== "unasked";
  }

  get isWhole(): boolean {
    return this.#phase.type === "whole" || (this.#phase.type === "dropped" && this.#phase.wasWhole);
  }

  get isDropped(): boolean {
    return this.#phase.type === "dropped";
  }

  get isBridged(): boolean {
    return this.#notice !== undefined;
  }

  get awaitsNotice(): boolean {
    return this.#notice?.isAwaited === true;
  }

  get hasResponse(): boolean {
    return this.#responses.size > 0;
  }

  get calls(): readonly ModelToolCall[] {
    return this.#calls;
  }

  get toolRounds(): number {
    return this.#rounds.count;
  }

  /** What the calls of the previous response gave (TOOL-9). */
  get ran(): readonly ToolCallOutcome[] {
    return this.#rounds.ran;
  }

  get mayCallNoMore(): boolean {
    return this.#afterTools?.toolChoice === "none";
  }

  get timesCutOff(): number {
    return this.#timesCutOff;
  }

  /** The reply that goes on in the place of this one, or this one itself. */
  get heir(): RealtimeReply {
    return (this.#phase.type === "dropped" ? this.#phase.successor : undefined) ?? this;
  }

  /** It still has to be requested: as what the tools gave demands, or as the plan says. */
  get request(): { readonly knowsWords: boolean; readonly afterTools: ResponseRequest | undefined } | undefined {
    if (this.#phase.type !== "unasked") return undefined;
    return { knowsWords: this.#phase.knowsWords, afterTools: this.#afterTools };
  }

  override begin(plan: ReplyPlan): void {
    super.begin(plan);
    if (plan.origin === "service") this.#phase = { type: "asked" };
  }

  asked(): void {
    this.#phase = { type: "asked" };
  }

  /** With a response that nobody is to hear, the service has dropped what was requested: it has to be requested again. */
  calledOff(): void {
    this.#phase = { type: "unasked", knowsWords: true };
  }

  /** The connection that is open by now was given the history, which has what the caller typed. */
  knownByHistory(): void {
    if (this.#phase.type === "unasked") this.#phase = { type: "unasked", knowsWords: true };
  }

  beginResponse(responseId: string): void {
    this.#responses.add(responseId);
    this.#size = new ResponseSize();
    const startMs = this.context.clock.now();
    const attributes = { "gen_ai.operation.name": "chat", "gen_ai.agent.name": this.agent };
    this.#response = this.timeline.activities.begin({ part: "model", name: "chat", startMs, attributes });
  }

  /** Late events of other responses are ignored. */
  take(content: ResponseContent): void {
    if (!this.#responses.has(content.responseId)) return;
    switch (content.type) {
      case "audio":
        this.answerBegins(this.track.length);
        this.words.addAudio(content.itemId, this.#toMs(content.samples.length));
        this.track.write(content.samples);
        this.markAudio();
        this.context.playout.pump();
        this.written(); // the caller waits for the audio, and nobody for this
        this.context.onProgress();
        break;
      case "agent-text":
        this.timeline.reach("model_first_token_ms", this.context.clock.now());
        this.written();
        this.#show(this.words.addText(content.itemId, content.delta));
        break;
      case "agent-text-finished":
        this.#show(this.words.endText(content.itemId, content.text));
        break;
      case "tool-call":
        this.#calls.push(content.call);
        break;
      case "audio-finished":
        break;
      case "response-finished":
        this.#endResponse(content);
        return;
    }
    if (!this.abort.signal.aborted) this.#boundResponse(content);
  }

  addFiller(text: string, samples: Int16Array): void {
    this.words.addFiller(text, this.#toMs(samples.length));
    this.track.write(samples);
    this.show(text, this.agent);
    this.#play();
  }

  /** The response has ended, and its tools run now. */
  beginRound(): readonly ModelToolCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#rounds = { ...this.#rounds, count: this.#rounds.count + 1 };
    this.#phase = { type: "running-tools" };
    this.toolsStarted(calls);
    return calls;
  }

  endRound(ran: readonly ToolCallOutcome[], outcomes: readonly ToolCallOutcome[], items: readonly HistoryItem[]): void {
    this.#rounds = { ...this.#rounds, ran };
    if (this.#phase.type === "running-tools") {
      const { notice } = this.#phase;
      this.#phase = notice === undefined ? { type: "asked" } : { type: "bridging", notice };
    }
    this.toolsFinished(outcomes, items);
  }

  requestAfterTools(request: ResponseRequest | undefined): void {
    this.#afterTools = request;
  }

  beginNotice(): void {
    if (this.#phase.type !== "running-tools") return;
    this.#phase = { type: "running-tools", notice: { over: Promise.withResolvers(), isAwaited: true } };
  }

  /** Nothing waits for the notice any more: the service has dropped it. */
  callOffNotice(): void {
    this.#notice?.over.resolve(undefined);
  }

  /** The service makes one response at a time, so a notice that never ends must not block the answer. */
  async noticeOver(clock: Clock): Promise<void> {
    const notice = this.#notice;
    if (notice === undefined || this.abort.signal.aborted) return;
    const stopWaiting = (): void => notice.over.resolve(undefined);
    this.abort.signal.addEventListener("abort", stopWaiting, { once: true });
    const cancelTimer = clock.setTimer(noticeLimitMs, stopWaiting);
    await notice.over.promise;
    cancelTimer();
    if (this.#phase.type === "bridging") this.#phase = { type: "asked" };
  }

  drop(): void {
    if (this.#phase.type !== "dropped") this.#phase = { type: "dropped", wasWhole: this.isWhole };
  }

  /** This reply goes on in the place of one that was lost, whose tools may have requested something, and may still be running. */
  succeed(lost: RealtimeReply): void {
    if (lost.#phase.type === "dropped") lost.#phase = { ...lost.#phase, successor: this };
    this.takeEffectsOf(lost);
  }

  /** It was lost and is requested again, so that nothing is withdrawn. */
  isRequestedAgain(reason: CancelReason): boolean {
    return this.isDropped && reason === "dead_air";
  }

  override withdraw(reason: CancelReason): void {
    if (!this.isRequestedAgain(reason)) super.withdraw(reason);
  }

  override takeHandoff(handoff: ChosenHandoff): void {
    this.words.speakAs(handoff.to);
    super.takeHandoff(handoff);
  }

  get #notice(): Notice | undefined {
    return this.#phase.type === "running-tools" || this.#phase.type === "bridging" ? this.#phase.notice : undefined;
  }

  /** Shows the text as far as the agent's guardrails let it pass. One of them may stop the reply and supply replacement words. */
  #show(pieces: readonly GuardedPiece[]): void {
    for (const { text, hits: names, stopped } of pieces) {
      if (names.length > 0) this.hitGuardrail({ agent: this.agent, names, action: stopped ? "stop" : "replace" });
      // The text runs ahead of the voice, so most of a forbidden sentence has not been heard yet.
      if (stopped) return this.#service.onStopped(this.plan.turnId, text);
      if (text !== "") this.show(text, this.agent);
    }
  }

  /** What still arrives of a response that is too long is not listened to. */
  #boundResponse(content: ResponseContent): void {
    const unheardMs = this.#toMs(this.track.length) - this.context.playout.heardMs();
    const excess = this.#size.add(content, unheardMs);
    if (excess === undefined) return;
    const { responseId } = content;
    this.#responses.delete(responseId);
    this.#service.link((session) => session.cancelResponse());
    this.#endResponse({ type: "response-finished", responseId, ...excess });
  }

  #endResponse(end: ResponseEnd): void {
    const { status, usage, error } = end;
    if (usage !== undefined) this.timeline.addUsage(usage);
    this.#response?.end(this.context.clock.now(), {
      attributes: { "gen_ai.response.finish_reasons": status, ...(usage === undefined ? {} : usageOf(usage)) },
      errorType: status === "failed" ? (error?.code ?? "upstream_unavailable") : undefined,
    });
    const next = afterResponse(this, end);
    if (status !== "completed" || next.type === "fail") this.#calls = [];
    this.#goOn(next);
  }

  #goOn(next: NextMove): void {
    const { link, requests, runTools, onFailed } = this.#service;
    const { plan } = this;
    switch (next.type) {
      case "go-on":
        this.#endNotice();
        return;
      case "run-tools":
        runTools(this);
        return;
      case "say-again":
        this.#timesCutOff++;
        link((session) => requests.ask(session, plan, { knowsWords: true }));
        return;
      case "apologise":
        this.#apologise(next.for);
        return;
      case "fail":
        onFailed(plan.turnId, next.error);
        return;
      case "complete":
        if (this.#phase.type !== "dropped") this.#phase = { type: "whole" };
        this.track.complete();
        this.#play();
    }
  }

  /** MODEL-1, MODEL-2: what the agent adds to an answer that the model did not complete. */
  #apologise(cut: AnswerCut): void {
    const { link } = this.#service;
    if (cut === "filtered-prompt") link((session) => session.forgetCaller());
    this.cutShort(cut);
    const { sentences } = this.context.conversation.language;
    link((session) => session.respond({ say: wordsAfterCut(cut, sentences) }));
  }

  /** The service has ended the notice. */
  #endNotice(): void {
    const notice = this.#notice;
    if (notice === undefined) return;
    notice.over.resolve(undefined);
    if (this.#phase.type === "running-tools" || this.#phase.type === "bridging")
      this.#phase = { ...this.#phase, notice: { ...notice, isAwaited: false } };
  }

  #play(): void {
    this.context.playout.pump();
    this.context.onProgress();
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#service.sampleRateHz;
  }
}
