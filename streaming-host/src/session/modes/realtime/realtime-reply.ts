/** A reply of a realtime model: one response, or several, which follow each other as tools run. */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { Agent } from "@voice/shared/catalog/agent";
import type { ChosenHandoff } from "../../../pipeline/cascade/choose-handoff.ts";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import { wordsAfterCut } from "../../../pipeline/cut-answers.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import type { GuardrailHits } from "../../../pipeline/guardrail-hit.ts";
import type { GuardedClause } from "@voice/shared/conversation/speech-guard";
import { ReplyTranscript } from "../../../pipeline/realtime/reply-transcript.ts";
import type { ToolRound } from "../../../pipeline/tool-round.ts";
import { usageOf } from "../../output/turn-activities.ts";
import type { OpenActivity } from "../../output/turn-activities.ts";
import { OpenReply } from "../../reply/open-reply.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import type { CancelReason, ReplyPlan } from "../../turn/turn-effects.ts";
import { ModelRequest } from "./model-request.ts";
import type { Link } from "./model-request.ts";
import { afterResponse, ResponseSize } from "./response-order.ts";
import type { NextMove, ReplySoFar, ResponseContent, ResponseEnd } from "./response-order.ts";
import { ToolNotice } from "./tool-notice.ts";

/** How far the reply has come, which decides what is requested of the service and what becomes of its responses. */
type ReplyPhase =
  /** Not requested yet. `knowsWords`: it was before, so the model knows what the caller typed. */
  | { readonly type: "not-requested"; readonly knowsWords: boolean }
  /** Requested, or begun by the service. */
  | { readonly type: "requested" }
  /** `isBridged`: by a notice. */
  | { readonly type: "running-tools"; readonly isBridged: boolean }
  /** The tools have finished, and the response to what they gave waits for the end of the notice. */
  | { readonly type: "bridging" }
  /** The whole reply has arrived. */
  | { readonly type: "whole" }
  /**
   * The connection that it came from is gone: results of its tools are not sent, and the next connection does not know its words.
   * `successor`: the reply that is requested in its place there (FAIL-4).
   */
  | { readonly type: "dropped"; readonly wasWhole: boolean; readonly successor?: RealtimeReply };

export interface RealtimeReplyOptions {
  readonly sampleRateHz: number;
  readonly link: Link;
  readonly runTools: (reply: RealtimeReply) => void;
}

export class RealtimeReply extends OpenReply {
  readonly words: ReplyTranscript;
  readonly abort = new AbortController();
  readonly #service: RealtimeReplyOptions;
  readonly #request: ModelRequest;
  /** The ids of the responses that are part of the reply; late events of other responses are ignored. */
  readonly #responses = new Set<string>();
  #phase: ReplyPhase = { type: "not-requested", knowsWords: false };
  #response: OpenActivity | undefined;
  #size = new ResponseSize();
  #calls: ToolCall[] = [];
  /** The newest. */
  #notice: ToolNotice | undefined;
  #timesCutOff = 0;
  #owesWords = true;
  #isSecondTry = false;
  #hasSucceeded = false;
  /** How many of its responses have called tools, and what the calls of the last one gave. */
  #rounds: { readonly count: number; readonly ran: readonly ToolCallResult[] } = { count: 0, ran: [] };

  constructor(context: ReplyContext, agent: Agent, service: RealtimeReplyOptions, guardrails?: GuardrailHits) {
    super(context, agent.name, guardrails);
    this.#service = service;
    this.#request = new ModelRequest(context);
    this.words = new ReplyTranscript(agent);
  }

  get isRequested(): boolean {
    return this.#phase.type !== "not-requested";
  }

  get isWhole(): boolean {
    return this.#phase.type === "whole" || (this.#phase.type === "dropped" && this.#phase.wasWhole);
  }

  get isDropped(): boolean {
    return this.#phase.type === "dropped";
  }

  /** A response has begun that is part of the reply. */
  get hasResponse(): boolean {
    return this.#responses.size > 0;
  }

  /** "One moment, please" was requested, and the service has not ended it. */
  get awaitsNotice(): boolean {
    return this.#notice?.isAwaited === true;
  }

  /** How many of its responses have called tools. */
  get toolRounds(): number {
    return this.#rounds.count;
  }

  /** What the calls of the previous response gave (TOOL-9). */
  get ran(): readonly ToolCallResult[] {
    return this.#rounds.ran;
  }

  /** The reply that goes on in the place of this one, or this one itself. */
  get heir(): RealtimeReply {
    return (this.#phase.type === "dropped" ? this.#phase.successor : undefined) ?? this;
  }

  get soFar(): ReplySoFar {
    const phase = this.#phase;
    return {
      plan: this.plan,
      isWhole: this.isWhole,
      isBridged: phase.type === "bridging" || (phase.type === "running-tools" && phase.isBridged),
      runningTools: this.runningTools,
      hasResponse: this.hasResponse,
      calls: this.#calls,
      toolRounds: this.#rounds.count,
      mayCallNoMore: this.#request.mayCallNoMore,
      greeting: this.#request.greeting,
      owesWords: this.#owesWords,
      hasSucceeded: this.#hasSucceeded,
      isSecondTry: this.#isSecondTry,
      cut: this.cut,
      timesCutOff: this.#timesCutOff,
      answerFrom: this.answerFrom,
      hasActed: this.hasActed,
    };
  }

  override begin(plan: ReplyPlan): void {
    super.begin(plan);
    if (plan.origin === "service") this.#phase = { type: "requested" };
  }

  /** Requests it, unless it was requested or there is no connection. `isTold`: the connection was given the history, with what was typed. */
  request({ isTold } = { isTold: false }): void {
    if (this.#phase.type !== "not-requested") return;
    const knowsWords = isTold || this.#phase.knowsWords;
    const isSent = this.#service.link((session) => this.#request.send(session, this.plan, knowsWords));
    this.#phase = isSent ? { type: "requested" } : { type: "not-requested", knowsWords };
  }

  /** Sends what the caller typed where the reply is given up before it was requested, so that the next answer knows it. */
  sendTyped(session: RealtimeSession): void {
    const { kind, text } = this.plan;
    if (kind === "answer" && text !== "" && this.#phase.type === "not-requested" && !this.#phase.knowsWords)
      session.sendText(text);
  }

  /** With a response that nobody is to hear, the service has dropped what was requested: it has to be requested again. */
  forgetRequest(): void {
    this.#phase = { type: "not-requested", knowsWords: true };
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
        if (!this.awaitsNotice) this.#owesWords = false;
        this.answerBegins(this.track.length);
        this.words.items.addAudio(content.itemId, this.#toMs(content.samples.length));
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
    this.words.items.addFiller(text, this.#toMs(samples.length));
    this.track.write(samples);
    this.show(text, this.agent);
    this.play();
  }

  /** The response has ended, and its tools run now. */
  beginRound(): readonly ToolCall[] {
    const calls = this.#calls;
    this.#calls = [];
    this.#rounds = { ...this.#rounds, count: this.#rounds.count + 1 };
    if (!this.isWhole) this.#phase = { type: "running-tools", isBridged: false };
    this.toolsStarted(calls);
    return calls;
  }

  endRound({ ran, outcomes, items }: ToolRound): void {
    this.#rounds = { ...this.#rounds, ran };
    if (this.#phase.type === "running-tools") this.#phase = { type: this.#phase.isBridged ? "bridging" : "requested" };
    this.toolsFinished(outcomes, items);
  }

  /** The words that bridged the run of the tools are over. */
  async noticeOver(): Promise<void> {
    if (this.#phase.type !== "bridging") return;
    await this.#notice?.over(this.abort.signal, this.context.clock);
    if (this.#phase.type === "bridging") this.#phase = { type: "requested" };
  }

  /** What the tools of this reply gave, or of one before it that was lost, is known: the response to that comes next. */
  goOnAfter({ outcomes, handoff }: ToolRound, isLast: boolean): void {
    this.#owesWords = handoff !== undefined || outcomes.every(({ effects }) => effects.length === 0);
    this.#isSecondTry = false;
    this.#hasSucceeded ||= outcomes.some(({ status }) => status === "success");
    this.#request.afterTools(handoff, isLast);
  }

  /** Requests what the caller is told of what the tools gave. */
  requestAfterTools(): void {
    const isSent = this.#service.link((session) => session.respond(this.#request.next));
    if (!isSent) this.forgetRequest();
  }

  /** Has the service say that a tool takes its time. */
  sayNotice(say: string): void {
    this.#notice = new ToolNotice();
    if (this.#phase.type === "running-tools") this.#phase = { type: "running-tools", isBridged: true };
    this.#service.link((session) => session.respond({ say }));
  }

  /** Nothing waits for the notice any more: the service has dropped it. */
  dropNotice(): void {
    this.#notice?.drop();
  }

  drop(): void {
    if (this.#phase.type !== "dropped") this.#phase = { type: "dropped", wasWhole: this.isWhole };
  }

  /** This reply goes on in the place of one that was lost, whose tools may have requested something, and may still be running. */
  succeed(lost: RealtimeReply): void {
    if (lost.#phase.type === "dropped") lost.#phase = { ...lost.#phase, successor: this };
    this.takeEffectsOf(lost);
  }

  /** The reply was lost with its connection and is requested again, so that nothing is withdrawn. */
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

  /** Shows the text as far as the agent's guardrails let it pass. One of them may stop the reply and supply replacement words. */
  #show(pieces: readonly GuardedClause[]): void {
    for (const { text, hits: names, stopped } of pieces) {
      if (names.length > 0) this.hitGuardrail({ agent: this.agent, names, action: stopped ? "stop" : "replace" });
      // The text runs ahead of the voice, so most of a forbidden sentence has not been heard yet.
      if (stopped) return this.context.dispatch({ type: "reply-stopped", turnId: this.plan.turnId, text });
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
    const next = afterResponse(this.soFar, end);
    if (status !== "completed" || next.type === "fail") this.#calls = [];
    this.#goOn(next);
  }

  #goOn(next: NextMove): void {
    switch (next.type) {
      case "go-on":
        this.#notice?.end();
        return;
      case "request":
        this.#requestMore(next.what);
        return;
      case "run-tools":
        this.#service.runTools(this);
        return;
      case "say-again":
        this.#timesCutOff++;
        this.#service.link((session) => this.#request.sendFirst(session, this.plan, true));
        return;
      case "apologise":
        this.#apologise(next.for);
        return;
      case "fail":
        this.fail("model", next.error);
        return;
      case "complete":
        this.breakOff(next.broken);
        if (!this.isDropped) this.#phase = { type: "whole" };
        this.track.complete();
        this.play();
    }
  }

  #requestMore(what: "answer" | "again" | "what-else"): void {
    if (what === "answer") this.#request.greeted();
    if (what === "again") this.#isSecondTry = true;
    if (what === "what-else") this.#owesWords = false;
    const { nothingToAdd: say } = this.context.conversation.language.sentences;
    this.#service.link((session) => session.respond(what === "what-else" ? { say } : this.#request.next));
  }

  /** MODEL-1, MODEL-2: what the agent adds to an answer that the model did not complete. */
  #apologise(cut: AnswerCut): void {
    const { link } = this.#service;
    if (cut === "filtered-prompt") link((session) => session.forgetCaller());
    this.cutShort(cut);
    const { sentences } = this.context.conversation.language;
    link((session) => session.respond({ say: wordsAfterCut(cut, sentences) }));
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#service.sampleRateHz;
  }
}
