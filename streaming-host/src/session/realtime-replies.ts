/**
 * The replies of a realtime model: its audio on our playout, its tools run by us, what was heard of it in the history.
 * One reply is everything the agent says until it was heard; a tool's follow-up response continues it.
 */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { createGuardedTranscript, guardedText } from "../pipeline/realtime/guarded-transcript.ts";
import type { GuardedPiece } from "../pipeline/realtime/guarded-transcript.ts";
import { SpokenItems } from "../pipeline/realtime/spoken-items.ts";
import type { RealtimeEvent } from "../providers/ports/realtime-model.ts";
import { isSilent } from "./realtime-reply.ts";
import type { RealtimeReply, RealtimeRepliesOptions } from "./realtime-reply.ts";
import { runToolCalls } from "./realtime-tools.ts";
import { Track } from "./playout/track.ts";
import { agentWords } from "./recording/agent-words.ts";
import { TurnTimeline } from "./turn-timeline.ts";
import type { CancelReason } from "./turn/turn-effects.ts";

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

export class RealtimeReplies {
  readonly #options: RealtimeRepliesOptions;
  #open: RealtimeReply | undefined;
  #turnCount: number;
  #anchorMs: number;
  #tools: Promise<void> = Promise.resolve();

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

  /** More of the reply is to come. */
  get isUnfinished(): boolean {
    return this.#open?.isComplete === false;
  }

  /** Resolves once the tools that run have done so; what they did is in the history then. */
  get settled(): Promise<void> {
    return this.#tools;
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
        else if (open.calls.length > 0) this.#tools = runToolCalls(open, this.#options);
        else if (event.status === "failed" || (event.status !== "cancelled" && isSilent(open))) this.#fail();
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

  /** The connection is gone, and with it what had not arrived. */
  drop(): void {
    if (this.#open === undefined || this.#open.isComplete) return;
    this.#open.isDropped = true;
    this.interrupt("dead_air");
  }

  close(): void {
    this.#open?.effects.splice(0); // the caller is gone, or goes on elsewhere without having heard of it
    this.interrupt("ended");
  }

  #fail(): void {
    this.interrupt("dead_air");
    this.#options.onFailed();
  }

  #begin(): RealtimeReply {
    const { conversation, playout } = this.#options;
    const turnId = `turn-${++this.#turnCount}`;
    const open: RealtimeReply = {
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
      effects: [],
      hasActed: false,
      isComplete: false,
      isDropped: false,
    };
    playout.play(open.track);
    this.#announce("thinking");
    return open;
  }

  #show(open: RealtimeReply, pieces: readonly GuardedPiece[]): void {
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

  #complete(open: RealtimeReply): void {
    open.isComplete = true;
    open.track.complete();
    this.#options.playout.pump();
    this.#options.onProgress();
  }

  #finish(open: RealtimeReply, spoken: string, interrupted: boolean, heardSamples: number): void {
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
    for (const effect of open.effects) this.#options.onEffect(effect);
  }

  #announce(state: "listening" | "thinking" | "speaking"): void {
    const { conversation, notify } = this.#options;
    notify({ type: "event", payload: { name: "state_change", state, agent: conversation.agent.name } });
  }
}
