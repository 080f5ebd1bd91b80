/**
 * Records one conversation: both sides on one time line, with a transcript (docs/calls.md, REC). The audio path only
 * copies samples into preallocated memory; once a second a timer passes what is final to the storage in the background.
 */
import type { RecordedWords } from "@voice/shared/contracts/http/recordings";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { RecordingFormat, RecordingId, RecordingStore } from "@voice/shared/recordings/recording-store";
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import { CallerClock, longestSilenceMs } from "./caller-clock.ts";
import type { AgentSaid, CallerSaid, SessionRecorder } from "./session-recorder.ts";
import { SpokenRuns } from "./spoken-runs.ts";
import { StereoTimeline } from "./stereo-timeline.ts";
import { WriteBehind } from "./write-behind.ts";
import { TranscriptEntries } from "./transcript-entries.ts";

const drainIntervalMs = 1000;
/** Audio older than this is final, unless the caller's stream has paused: their clock places nothing earlier, except long chunks. */
const settleMs = 1500;
/** Room for final and pending audio, for audio that plays in the future (the playout's lead), and for a late timer. */
const capacityMs = longestSilenceMs + 2500;
/** A frame that plays within this distance of the end of the previous one follows it directly: the difference is rounding. */
const joinFrames = 2;
/** The documents are written as a whole: 2 MB after four hours. They are written less often the more entries they have. */
const documentPauseMsPerEntry = 5;
/** How long writing may take at the end of a conversation. Nobody waits for it, but the process may have to exit. */
const finishMs = 10_000;

export interface RecorderOptions {
  readonly id: RecordingId;
  readonly format: RecordingFormat;
  readonly store: Pick<RecordingStore, "create" | "flushIntervalMs">;
  /** If there is an announcement, recording starts with it, which is the agent's first reply; otherwise it starts now. */
  readonly awaitsAnnouncement: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when recording starts and ends, to update the session's record. */
  readonly onChanged: (recording: SessionRecording) => void;
  readonly onFailure: () => void;
}

type Phase = "awaiting-announcement" | "recording" | "ended";

export class ConversationRecorder implements SessionRecorder {
  readonly #options: RecorderOptions;
  readonly #timeline: StereoTimeline;
  readonly #callerClock: CallerClock;
  readonly #runs = new SpokenRuns();
  readonly #words = new TranscriptEntries();
  #phase: Phase = "awaiting-announcement";
  #startedAtMs = 0;
  #startedAtWallMs = 0;
  /** The frame after the last one in which the agent was heard. */
  #agentEnd = 0;
  #isDirty = true;
  #documentsDueMs = 0;
  #cancelDrain: CancelTimer | undefined;
  #writeBehind: WriteBehind | undefined;
  #durationMs: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    const { sampleRateHz, channels } = options.format;
    this.#options = options;
    this.#timeline = new StereoTimeline(channels, this.#toFrames(capacityMs));
    this.#callerClock = new CallerClock(sampleRateHz, (from, until, by) => {
      this.#timeline.move("caller", from, until, by);
    });
    if (!options.awaitsAnnouncement) this.#begin(options.clock.now());
  }

  abandon(): void {
    void this.close();
  }

  callerAudio(samples: Int16Array): void {
    if (this.#phase !== "recording") return;
    const start = this.#callerClock.place(samples.length, this.#nowFrames());
    if (start === undefined) return;
    this.#makeRoom(start + samples.length);
    this.#timeline.write("caller", start, samples);
  }

  agentAudio(frame: Int16Array, playsAtMs: number): void {
    if (this.#phase === "ended") return;
    if (this.#phase === "awaiting-announcement") this.#begin(playsAtMs);
    const playsAt = this.#toFrames(playsAtMs - this.#startedAtMs);
    const start = Math.abs(playsAt - this.#agentEnd) <= joinFrames ? this.#agentEnd : playsAt;
    this.#agentEnd = start + frame.length;
    this.#runs.add(start, frame.length);
    this.#makeRoom(this.#agentEnd);
    this.#timeline.write("agent", start, frame);
  }

  agentStopped(): void {
    if (this.#phase !== "recording") return;
    this.#agentEnd = this.#nowFrames();
    this.#timeline.clear("agent", this.#agentEnd);
    this.#runs.cut(this.#agentEnd);
  }

  callerSaid({ text, turnId, startedAtMs: fromMs, endedAtMs: untilMs, isPersons }: CallerSaid): void {
    if (this.#phase !== "recording") return;
    const speaker = isPersons === true ? ("agent" as const) : ("caller" as const);
    const words = { speaker, agent: null, text, turn_id: turnId, interrupted: false };
    this.#add(words, this.#toFrames(fromMs - this.#startedAtMs), this.#toFrames(untilMs - this.#startedAtMs));
  }

  agentSaid(reply: AgentSaid): void {
    if (this.#phase === "recording") this.#addReply(reply);
    this.#runs.reset();
  }

  /** Idempotent. Resolves when everything was written or abandoned. */
  close(): Promise<void> {
    return (this.#closing ??= this.#finish());
  }

  #begin(atMs: number): void {
    const { clock, format, id, logger, onChanged, onFailure, store } = this.#options;
    this.#phase = "recording";
    this.#startedAtMs = atMs;
    this.#startedAtWallMs = Math.round(clock.wallNow() + (atMs - clock.now()));
    this.#writeBehind = new WriteBehind({
      create: () => store.create(id, format),
      format,
      flushIntervalMs: store.flushIntervalMs,
      documents: () => this.#changedDocuments(),
      clock,
      logger,
      onFailure,
    });
    this.#setDrainTimer();
    onChanged(this.#summary("recording"));
  }

  #setDrainTimer(): void {
    this.#cancelDrain = this.#options.clock.setTimer(drainIntervalMs, () => {
      this.#setDrainTimer();
      this.#drainSettled();
      this.#writeBehind?.tick();
      if (this.#writeBehind?.isDeleted === true) void this.close();
    });
  }

  #drainSettled(): void {
    const now = this.#nowFrames();
    const settled = now - this.#toFrames(settleMs);
    const open = Math.max(this.#callerClock.openFrom ?? settled, now - this.#toFrames(longestSilenceMs));
    this.#drain(Math.min(settled, open));
  }

  #drain(until: number): void {
    if (until <= this.#timeline.base) return;
    this.#writeBehind?.push(bytesFromSamples(this.#timeline.take(until)));
  }

  /** A late timer must not lose audio, so final audio is taken out to make room. */
  #makeRoom(end: number): void {
    if (end > this.#timeline.limit) this.#drainSettled();
  }

  #changedDocuments() {
    const { format, id, clock } = this.#options;
    if (!this.#isDirty || (this.#phase !== "ended" && clock.now() < this.#documentsDueMs)) return undefined;
    this.#isDirty = false;
    this.#documentsDueMs = clock.now() + this.#words.count * documentPauseMsPerEntry;
    return this.#words.documents({
      session_id: id.sessionId,
      recording_id: id.recordingId,
      started_at: new Date(this.#startedAtWallMs).toISOString(),
      duration_ms: this.#durationMs ?? null,
      sample_rate: format.sampleRateHz,
      channels: format.channels === 1 ? ["caller"] : ["caller", "agent"],
    });
  }

  #summary(status: SessionRecording["status"], lostMs?: number): SessionRecording {
    const { id, format } = this.#options;
    return {
      recordingId: id.recordingId,
      startedAtMs: this.#startedAtWallMs,
      sampleRateHz: format.sampleRateHz,
      channels: format.channels,
      status,
      durationMs: this.#durationMs,
      lostMs,
    };
  }

  #add(words: Omit<RecordedWords, "start_ms" | "end_ms">, start: number, end: number): void {
    // A recogniser may place the first words before the start of the recording.
    const startMs = Math.max(0, this.#toMs(start));
    this.#words.add({ ...words, start_ms: startMs, end_ms: Math.max(startMs, this.#toMs(end)) });
    this.#isDirty = true;
  }

  /** Each piece begins where the one before it ended. */
  #addReply({ turnId, words: pieces, interrupted }: AgentSaid): void {
    let spoken = 0;
    for (const [index, { text, agent, endSample }] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      const words = { speaker: "agent" as const, agent, text, turn_id: turnId, interrupted: interrupted && isLast };
      // A reply that was cut off ends at the cut, in the middle of a word that does not count as heard.
      this.#add(words, this.#runs.startOf(spoken), words.interrupted ? this.#runs.end : this.#runs.endOf(endSample));
      spoken = endSample;
    }
  }

  async #finish(): Promise<void> {
    const wasRecording = this.#phase === "recording";
    this.#phase = "ended";
    this.#cancelDrain?.();
    if (!wasRecording || this.#writeBehind === undefined) return;
    const end = this.#nowFrames();
    if (this.#options.format.channels === 2) this.#timeline.clear("agent", end); // the peer has gone, so the remaining audio was not heard
    this.#drain(end);
    this.#durationMs = this.#toMs(end);
    this.#isDirty = true;
    const { outcome, lostMs } = await this.#writeBehind.finish(finishMs);
    if (outcome === "deleted") return;
    if (outcome !== "complete") this.#options.logger.error({ outcome, lostMs }, "a recording is not whole");
    this.#options.onChanged(this.#summary(outcome, lostMs));
  }

  #nowFrames(): number {
    return this.#toFrames(this.#options.clock.now() - this.#startedAtMs);
  }

  #toFrames(ms: number): number {
    return Math.round((ms * this.#options.format.sampleRateHz) / 1000);
  }

  #toMs(frames: number): number {
    return Math.round((frames * 1000) / this.#options.format.sampleRateHz);
  }
}
