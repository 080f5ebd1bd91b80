/**
 * Carries out what the turn machine decides about replies: prepares, begins, holds, cancels; and writes down what was
 * heard. It decides nothing itself.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import { notUnderstoodItem } from "@voice/shared/conversation/not-understood";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCallOutcome } from "../pipeline/cascade/tool-call-outcome.ts";
import { askedEffects } from "../pipeline/asked-effects.ts";
import { startReply } from "../pipeline/cascade/reply.ts";
import type { Reply, ReplyContent, ReplyOptions, ReplyOutput } from "../pipeline/cascade/reply.ts";
import type { AwaitedAnswer } from "../providers/ports/recogniser.ts";
import type { SessionNotice } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import { fixedPhrase } from "./fixed-phrases.ts";
import { isAnnounced } from "./host-effects.ts";
import type { HostEffect } from "./host-effects.ts";
import type { Playout } from "./playout/playout.ts";
import { Track } from "./playout/track.ts";
import { agentWords } from "./recording/agent-words.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import { spokenParts } from "./spoken-parts.ts";
import type { AgentSegment } from "./spoken-parts.ts";
import { toolFinishedNotice, toolStartedNotice } from "./tool-notices.ts";
import { TurnTimeline } from "./turn-timeline.ts";
import type { CancelReason, ReplyKind, ReplyPlan } from "./turn/turn-effects.ts";
import type { ReplyFailure } from "./turn/turn-events.ts";

export interface ReplyRunnerOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** The words of a reply of that kind. */
  readonly announcement?: string | undefined;
  readonly clock: Clock;
  readonly reply: Omit<ReplyOptions, "catalog">;
  /** Said before the first reply. */
  readonly opener?: string | undefined;
  readonly notify: (notice: SessionNotice) => void;
  readonly onFailed: (turnId: string, failure: ReplyFailure, error: VoiceError) => void;
  /** A tool wants something only the host can do. */
  readonly onEffect: (effect: HostEffect) => void;
  /** Another agent has the floor: other hints, another voice. */
  readonly onAgentChanged: () => void;
  /** What the agent has just asked for, so that the recogniser can expect it. */
  readonly onAwaits: (awaits: AwaitedAnswer | undefined) => void;
  /** The playout has something to do. */
  readonly onProgress: () => void;
}

/** A reply from its preparation to its last heard sample. */
interface OpenReply {
  readonly timeline: TurnTimeline;
  /** The agent that has the floor; the last one, after a handoff. */
  agent: string;
  reply: Reply | undefined;
  /** Known once the turn machine has begun it. */
  plan: ReplyPlan | undefined;
  track: Track | undefined;
  /** Who spoke from where on; more than one after a handoff. */
  readonly segments: AgentSegment[];
  /** For when it was heard: the caller is told where the call goes before it goes there. */
  readonly effects: HostEffect[];
}

export class ReplyRunner {
  readonly #options: ReplyRunnerOptions;
  #running: OpenReply | undefined;
  #prepared: OpenReply | undefined;
  #opener: string | undefined;

  constructor(options: ReplyRunnerOptions) {
    this.#options = options;
    this.#opener = options.opener;
  }

  /** From its beginning to its last heard sample; a prepared one does not count. */
  get isReplying(): boolean {
    return this.#running !== undefined;
  }

  prepare(text: string): void {
    this.discardPrepared();
    this.#prepared = this.#open(this.#answerTo(text));
  }

  discardPrepared(): void {
    this.#prepared?.reply?.cancel();
    this.#prepared = undefined;
  }

  /** `recognisedAtMs`: when the recogniser gave the turn's text; undefined where it was typed. */
  begin(plan: ReplyPlan, recognisedAtMs: number | undefined): void {
    const { conversation, clock, playout } = this.#options;
    const open = (plan.prepared ? this.#prepared : undefined) ?? this.#open(this.#contentOf(plan));
    if (open === this.#prepared) this.#prepared = undefined;
    this.discardPrepared();
    open.plan = plan;
    open.track = new Track(plan.turnId);
    this.#running = open;
    if (plan.kind === "greeting") conversation.markVisited();
    if (isAnswer(plan)) {
      if (recognisedAtMs !== undefined) open.timeline.reach("recognised_ms", recognisedAtMs);
      open.timeline.reach("end_of_turn_ms", clock.now());
      if (plan.goesOn === true)
        for (const effect of askedEffects(conversation.owedTurn?.since ?? [])) this.#takeEffect(open, effect);
      else conversation.append([this.#heard(plan, open.agent)]); // HIST-1
    }
    playout.play(open.track);
    open.reply?.commit(plan.turnId, open.track);
  }

  hold(): void {
    this.#options.playout.hold();
  }

  resume(): void {
    this.#options.playout.resume();
    this.#options.onProgress();
  }

  cancel(reason: CancelReason): void {
    const open = this.#running;
    if (open === undefined) return;
    this.#running = undefined;
    const heard = this.#options.playout.stop(); // StopAudio first (BARGE-5), everything else after it
    open.reply?.cancel();
    if (open.plan?.kind === "announcement" && reason !== "ended") this.#options.recorder.abandon();
    if (reason === "barge_in")
      this.#options.notify({ type: "event", payload: { name: "barge_in", turn_id: open.plan?.turnId, reason } });
    this.#finish(open, heard, true);
  }

  onAudible(): void {
    this.#running?.timeline.reach("first_audio_ms", this.#options.clock.now());
  }

  onDrained(heard: string): void {
    const open = this.#running;
    if (open === undefined) return;
    this.#running = undefined;
    this.#finish(open, heard, false);
  }

  close(): void {
    this.discardPrepared();
    this.#running?.effects.splice(0); // the caller is gone, or goes on elsewhere without having heard of it
    this.cancel("ended");
  }

  #contentOf(plan: ReplyPlan): ReplyContent {
    const { conversation } = this.#options;
    if (plan.kind === "answer") return this.#answerTo(plan.text, plan.goesOn);
    if (plan.kind === "clarification") return this.#answerTo(undefined);
    const text = this.#fixedText(plan.kind, plan);
    return { type: "fixed", text: [this.#takeOpener() ?? [], text].flat().join(" "), agent: conversation.agent };
  }

  #fixedText(kind: Exclude<ReplyKind, "answer" | "clarification">, { text, turnId }: ReplyPlan): string {
    if (kind === "message") return text;
    if (kind === "greeting") return this.#options.conversation.renderGreeting() ?? "";
    if (kind === "announcement") return this.#options.announcement ?? "";
    return fixedPhrase(kind, Number(turnId.replace("turn-", "")));
  }

  /** `goesOn`, TAKE-2: nothing that was done is done again, but the caller has not heard of it. */
  #answerTo(userText: string | undefined, goesOn = false): ReplyContent {
    const { conversation } = this.#options;
    const { agent, memory, visitedAgents } = conversation;
    const turn = (goesOn ? conversation.owedTurn : undefined) ?? { userText, history: conversation.modelHistory };
    return { type: "agent", opener: this.#takeOpener(), turn: { agent, ...turn, memory, visitedAgents } };
  }

  #takeOpener(): string | undefined {
    const opener = this.#opener;
    this.#opener = undefined;
    return opener;
  }

  #open(content: ReplyContent): OpenReply {
    const open: OpenReply = {
      timeline: new TurnTimeline(),
      agent: this.#options.conversation.agent.name,
      reply: undefined,
      plan: undefined,
      track: undefined,
      segments: [],
      effects: [],
    };
    const { catalog } = this.#options.conversation;
    open.reply = startReply(content, { ...this.#options.reply, catalog }, this.#output(open));
    return open;
  }

  #output(open: OpenReply): ReplyOutput {
    const { clock, conversation, notify, playout } = this.#options;
    const turnId = (): string => open.plan?.turnId ?? "";
    return {
      onText: (text, agent) =>
        notify({ type: "response", payload: { text, agent, turn_id: turnId(), is_final: false } }),
      onClause: (text, agent) => {
        open.timeline.reach("first_clause_ms", clock.now());
        const textStart = (open.track?.text.length ?? text.length) - text.length;
        if (open.segments.at(-1)?.agent !== agent) open.segments.push({ agent, textStart });
      },
      onGuardrail: (names) => open.timeline.add("guardrail_hits", names.length),
      onProgress: () => {
        if ((open.track?.length ?? 0) > 0) open.timeline.reach("synthesis_first_audio_ms", clock.now());
        playout.pump();
        this.#options.onProgress();
      },
      onComplete: () => {
        playout.pump();
        this.#options.onProgress();
      },
      onFailed: (failure, error) => {
        // What was only prepared is tried again when its turn has ended; nobody has to hear of it.
        if (open.plan !== undefined) this.#options.onFailed(turnId(), failure, error);
        else if (this.#prepared === open) this.#prepared = undefined;
      },
      onToolsStarted: (calls) => {
        for (const call of calls) notify(toolStartedNotice(call, turnId()));
      },
      onToolsFinished: (outcomes, items) => this.#takeOutcomes(open, outcomes, items),
      onHandoff: (handoff) => {
        open.agent = handoff.to.name;
        conversation.takeHandoff(handoff);
        notify({ type: "handoff", payload: { from: handoff.from.name, to: handoff.to.name, type: handoff.type } });
        this.#options.onAgentChanged();
      },
      onEffect: (effect) => this.#takeEffect(open, effect),
      onAwaits: (awaits) => this.#options.onAwaits(awaits),
      onFirstToken: () => open.timeline.reach("model_first_token_ms", clock.now()),
      onUsage: (usage) => {
        open.timeline.add("input_tokens", usage.inputTokens);
        open.timeline.add("output_tokens", usage.outputTokens);
      },
    };
  }

  #takeEffect(open: OpenReply, effect: HostEffect): void {
    if (isAnnounced(effect)) open.effects.push(effect);
    else this.#options.onEffect(effect);
  }

  #takeOutcomes(open: OpenReply, outcomes: readonly ToolCallOutcome[], items: readonly HistoryItem[]): void {
    const { conversation, notify } = this.#options;
    for (const outcome of outcomes) {
      conversation.remember(outcome.memory);
      notify(toolFinishedNotice(outcome, open.plan?.turnId ?? ""));
    }
    open.timeline.add("tools_ms", Math.max(0, ...outcomes.map((outcome) => outcome.durationMs)));
    conversation.append(items); // HIST-3: they ran, whatever becomes of the reply
  }

  #finish(open: OpenReply, heard: string, interrupted: boolean): void {
    const { plan } = open;
    if (plan === undefined) return;
    const { conversation, notify, clock } = this.#options;
    const { turnId } = plan;
    open.timeline.reach("reply_over_ms", clock.now());
    const summaryTokens = isAnswer(plan) ? conversation.takeSummaryTokens() : 0;
    if (summaryTokens > 0) open.timeline.add("summary_tokens", summaryTokens);
    const marks = isAnswer(plan) ? open.timeline.since(plan.anchorMs) : undefined;
    const parts = spokenParts(heard, open.segments);
    const words = agentWords(heard, parts, (textEnd) => open.track?.sampleOf(textEnd) ?? 0);
    this.#options.recorder.agentSaid(turnId, words, interrupted);
    const speaker = plan.kind === "announcement" ? "system" : "assistant"; // the service's words, not the agent's
    const items = parts.map(({ agent, text }, index) =>
      this.#item(speaker, agent, text, turnId, interrupted && index === parts.length - 1),
    );
    conversation.append(items, marks && { turnId, agent: open.agent, timestampMs: clock.wallNow(), marks });
    if (isAnswer(plan)) {
      conversation.saveMemory();
      conversation.condense();
    }
    for (const { agent, content: text, interrupted: isCut } of items)
      notify({ type: "response", payload: { text, agent, turn_id: turnId, is_final: true, interrupted: isCut } });
    // Whoever showed what the model wrote has to know that nobody heard it.
    if (items.length === 0)
      notify({
        type: "response",
        payload: { text: "", agent: open.agent, turn_id: turnId, is_final: true, interrupted },
      });
    if (marks !== undefined)
      notify({ type: "event", payload: { name: "turn_metrics", turn_id: turnId, metrics: marks } });
    if (!interrupted) notify({ type: "event", payload: { name: "playout_finished", turn_id: turnId } });
    for (const effect of open.effects) this.#options.onEffect(effect);
  }

  #heard(plan: ReplyPlan, agent: string): HistoryItem {
    if (plan.kind === "answer") return this.#item("user", agent, plan.text, plan.turnId, false);
    return notUnderstoodItem({ agent, turnId: plan.turnId, timestampMs: this.#options.clock.wallNow() });
  }

  #item(
    role: "user" | "assistant" | "system",
    agent: string,
    content: string,
    turnId: string,
    interrupted: boolean,
  ): HistoryItem {
    return { role, content, agent, turnId, timestampMs: this.#options.clock.wallNow(), interrupted };
  }
}

/** The caller spoke, understood or not, and the agent has to find words. */
function isAnswer({ kind }: ReplyPlan): boolean {
  return kind === "answer" || kind === "clarification";
}
