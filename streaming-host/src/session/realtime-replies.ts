/**
 * The replies of a realtime model: its audio on our playout, its tools run by us, what was heard of it in the history.
 * One reply is everything the agent says until it was heard; a tool's follow-up response continues it.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { toHistoryItems } from "../pipeline/cascade/agent-loop.ts";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
import { planHandoff } from "../pipeline/cascade/plan-handoff.ts";
import { askedEffects } from "../pipeline/asked-effects.ts";
import type { HandoffTaken } from "../pipeline/cascade/plan-handoff.ts";
import { settleHandoff } from "../pipeline/cascade/settle-handoff.ts";
import { createGuardedTranscript, guardedText } from "../pipeline/realtime/guarded-transcript.ts";
import type { GuardedPiece, GuardedTranscript } from "../pipeline/realtime/guarded-transcript.ts";
import { SpokenItems } from "../pipeline/realtime/spoken-items.ts";
import type { ModelToolCall } from "../providers/ports/language-model.ts";
import type { RealtimeEvent, RealtimeSession } from "../providers/ports/realtime-model.ts";
import type { SessionNotice } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import type { Playout } from "./playout/playout.ts";
import { Track } from "./playout/track.ts";
import { agentWords } from "./recording/agent-words.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import type { HostEffect } from "./host-effects.ts";
import { toolFinishedNotice, toolStartedNotice } from "./tool-notices.ts";
import { TurnTimeline } from "./turn-timeline.ts";
import type { CancelReason } from "./turn/turn-effects.ts";

export interface RealtimeRepliesOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** What is heard now are the service's words, not the agent's. */
  readonly isAnnouncing: () => boolean;
  readonly clock: Clock;
  readonly tools: ToolRunner;
  readonly sampleRateHz: number;
  readonly notify: (notice: SessionNotice) => void;
  readonly onProgress: () => void;
  readonly link: (action: (session: RealtimeSession) => void) => void;
  readonly onAgentChanged: () => void;
  readonly onEffect: (effect: HostEffect) => void;
}

/** Events about a response; the others are the session's. */
export type ResponseEvent = Extract<
  RealtimeEvent,
  {
    type:
      | "response-started"
      | "audio"
      | "audio-finished"
      | "agent-text"
      | "agent-text-finished"
      | "word"
      | "tool-call"
      | "response-finished";
  }
>;

/** Made faster than it is said: this is a service that has lost it. */
const noticeLimitMs = 5000;

interface OpenReply {
  readonly turnId: string;
  readonly track: Track;
  readonly spoken: SpokenItems;
  readonly timeline: TurnTimeline;
  readonly anchorMs: number;
  readonly abort: AbortController;
  /** "One moment, please" is being said while tools run; the answer to them must wait for its end. */
  notice: PromiseWithResolvers<undefined> | undefined;
  agent: string;
  handoffs: number;
  transcript: GuardedTranscript;
  calls: ModelToolCall[];
}

export class RealtimeReplies {
  readonly #options: RealtimeRepliesOptions;
  #open: OpenReply | undefined;
  #turnCount: number;
  #anchorMs: number;

  constructor(options: RealtimeRepliesOptions) {
    this.#options = options;
    this.#turnCount = options.conversation.turnCount;
    this.#anchorMs = options.clock.now();
  }

  get nextTurnId(): string {
    return `turn-${this.#turnCount + 1}`;
  }

  get isQuiet(): boolean {
    return this.#open === undefined;
  }

  /** The caller stopped speaking then; the next reply is measured from it. */
  setAnchor(atMs: number): void {
    this.#anchorMs = atMs;
  }

  storeUserText(text: string): void {
    const { conversation, clock } = this.#options;
    // The transcript may come after the reply to it has begun; it belongs to that reply's turn.
    const turnId = this.#open?.turnId ?? this.nextTurnId;
    conversation.append([
      {
        role: "user",
        content: text,
        agent: conversation.agent.name,
        turnId,
        timestampMs: clock.wallNow(),
        interrupted: false,
      },
    ]);
  }

  onEvent(event: ResponseEvent): void {
    const { clock, playout } = this.#options;
    if (event.type === "response-started") {
      this.#open ??= this.#begin();
      return;
    }
    const open = this.#open;
    if (open === undefined) return; // a late event of a reply that was interrupted
    switch (event.type) {
      case "audio":
        open.timeline.reach("synthesis_first_audio_ms", clock.now());
        open.spoken.addAudio(event.itemId, (event.samples.length * 1000) / this.#options.sampleRateHz);
        open.track.write(event.samples);
        playout.pump();
        this.#options.onProgress();
        return;
      case "agent-text":
        open.timeline.reach("model_first_token_ms", clock.now());
        open.spoken.addText(event.itemId, event.delta);
        this.#show(open, open.transcript.push(event.delta));
        return;
      case "agent-text-finished":
        open.spoken.setText(event.itemId, event.text);
        this.#show(open, open.transcript.flush());
        return;
      case "word":
        open.spoken.addWord(event.itemId, event.text, event.endMs);
        return;
      case "tool-call":
        open.calls.push(event.call);
        return;
      case "audio-finished":
        return;
      case "response-finished":
        if (event.usage !== undefined) {
          open.timeline.add("input_tokens", event.usage.inputTokens);
          open.timeline.add("output_tokens", event.usage.outputTokens);
        }
        if (open.notice !== undefined) open.notice.resolve(undefined);
        else if (open.calls.length > 0) void this.#runTools(open);
        else this.#complete(open);
    }
  }

  onAudible(): void {
    this.#open?.timeline.reach("first_audio_ms", this.#options.clock.now());
    this.#announce("speaking");
  }

  onDrained(): void {
    const open = this.#open;
    if (open !== undefined) this.#finish(open, open.spoken.text, false, open.track.length);
  }

  /** Stops what is being heard; the model forgets what was not (HIST-4). */
  interrupt(reason: CancelReason): void {
    const { playout, link, notify } = this.#options;
    const open = this.#open;
    if (open === undefined) return;
    const heardMs = playout.heardMs();
    playout.stop();
    open.abort.abort(new DOMException("the reply was cancelled", "AbortError"));
    link((session) => {
      session.cancelResponse();
      for (const cut of open.spoken.cuts(heardMs)) session.truncate(cut.itemId, cut.heardMs);
    });
    if (reason === "barge_in") notify({ type: "event", payload: { name: "barge_in", turn_id: open.turnId, reason } });
    this.#finish(open, open.spoken.textHeard(heardMs), true, (heardMs * this.#options.sampleRateHz) / 1000);
  }

  close(): void {
    this.interrupt("ended");
  }

  #begin(): OpenReply {
    const { conversation, playout } = this.#options;
    const turnId = `turn-${++this.#turnCount}`;
    const open: OpenReply = {
      turnId,
      track: new Track(turnId),
      spoken: new SpokenItems(),
      timeline: new TurnTimeline(),
      anchorMs: this.#anchorMs,
      abort: new AbortController(),
      notice: undefined,
      agent: conversation.agent.name,
      handoffs: 0,
      transcript: createGuardedTranscript(conversation.agent.guardrails ?? []),
      calls: [],
    };
    playout.play(open.track);
    this.#announce("thinking");
    return open;
  }

  #show(open: OpenReply, pieces: readonly GuardedPiece[]): void {
    const { notify, link } = this.#options;
    for (const { text, hits, stopped } of pieces) {
      if (hits.length > 0) open.timeline.add("guardrail_hits", hits.length);
      if (stopped) {
        // The text runs ahead of the voice: most of what may not be said has not been heard yet.
        this.interrupt("superseded");
        link((session) => session.respond({ say: text }));
        return;
      }
      if (text !== "")
        notify({ type: "response", payload: { text, agent: open.agent, turn_id: open.turnId, is_final: false } });
    }
  }

  #complete(open: OpenReply): void {
    open.track.complete();
    this.#options.playout.pump();
    this.#options.onProgress();
  }

  async #runTools(open: OpenReply): Promise<void> {
    const { conversation, tools, notify, clock, link } = this.#options;
    const calls = open.calls;
    open.calls = [];
    for (const call of calls) notify(toolStartedNotice(call, open.turnId));
    const { agent, memory } = conversation;
    const onSlow = (notice: string): void => {
      if (open.abort.signal.aborted) return;
      open.notice = Promise.withResolvers();
      link((session) => session.respond({ say: notice }));
    };
    const ran = await tools.run(calls, { turnId: open.turnId, agent, memory }, onSlow, open.abort.signal);
    const { outcomes, handoff } = settleHandoff(ran, open.handoffs, (wanted) =>
      planHandoff(conversation.catalog, conversation.agent, wanted, conversation),
    );
    const items: readonly HistoryItem[] = toHistoryItems(open.turnId, agent.name, outcomes, clock.wallNow());
    conversation.append(items); // HIST-3
    for (const outcome of outcomes) {
      conversation.remember(outcome.memory);
      notify(toolFinishedNotice(outcome, open.turnId));
    }
    open.timeline.add("tools_ms", Math.max(0, ...outcomes.map(({ durationMs }) => durationMs)));
    link((session) => {
      for (const { call, result } of outcomes) session.sendToolResult(call.id, JSON.stringify(result));
    });
    await this.#noticeOver(open);
    if (open.abort.signal.aborted) return;
    for (const effect of askedEffects(items)) this.#options.onEffect(effect);
    const instructions = handoff && this.#takeHandoff(open, handoff);
    link((session) => session.respond(instructions === undefined ? {} : { instructions }));
  }

  /** The service makes one response at a time. A notice that never ends must not silence the answer. */
  async #noticeOver(open: OpenReply): Promise<void> {
    const { notice } = open;
    if (notice === undefined) return;
    const stopWaiting = (): void => notice.resolve(undefined);
    open.abort.signal.addEventListener("abort", stopWaiting, { once: true });
    const cancelTimer = this.#options.clock.setTimer(noticeLimitMs, stopWaiting);
    await notice.promise;
    cancelTimer();
    open.notice = undefined;
  }

  /** Returns what the next response must be told. */
  #takeHandoff(open: OpenReply, handoff: HandoffTaken): string {
    const { conversation, notify } = this.#options;
    open.handoffs++;
    open.agent = handoff.to.name;
    open.transcript = createGuardedTranscript(handoff.to.guardrails ?? []);
    conversation.takeHandoff(handoff);
    notify({ type: "handoff", payload: { from: handoff.from.name, to: handoff.to.name, type: handoff.type } });
    this.#options.onAgentChanged();
    return handoff.greeting === undefined
      ? "You have just taken over this call without the caller noticing. Go on with what they asked for."
      : `You have just taken over this call. Begin with these words: "${handoff.greeting}" Then go on with what the caller asked for.`;
  }

  #finish(open: OpenReply, spoken: string, interrupted: boolean, heardSamples: number): void {
    const { conversation, notify, clock } = this.#options;
    const heard = guardedText(spoken, conversation.agent.guardrails ?? []);
    this.#open = undefined;
    const { turnId, agent } = open;
    // No word times: every character takes equally long.
    const sampleOf = (textEnd: number): number => (heardSamples * textEnd) / Math.max(1, heard.length);
    this.#options.recorder.agentSaid(turnId, agentWords(heard, [{ agent, text: heard }], sampleOf), interrupted);
    const timestampMs = clock.wallNow();
    const marks = open.timeline.since(open.anchorMs);
    const role = this.#options.isAnnouncing() ? "system" : "assistant";
    const items: HistoryItem[] =
      heard === "" ? [] : [{ role, content: heard, agent, turnId, timestampMs, interrupted }];
    conversation.append(items, { turnId, agent, timestampMs, marks });
    conversation.saveMemory();
    notify({ type: "response", payload: { text: heard, agent, turn_id: turnId, is_final: true, interrupted } });
    notify({ type: "event", payload: { name: "turn_metrics", turn_id: turnId, metrics: marks } });
    if (!interrupted) notify({ type: "event", payload: { name: "playout_finished", turn_id: turnId } });
    this.#announce("listening");
  }

  #announce(state: "listening" | "thinking" | "speaking"): void {
    const { conversation, notify } = this.#options;
    notify({ type: "event", payload: { name: "state_change", state, agent: conversation.agent.name } });
  }
}
