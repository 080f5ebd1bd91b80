/**
 * Records one conversation: both sides on one time line, what was said beside it (docs/calls.md, REC). The audio path
 * copies samples into memory that was there before; once a second a timer takes out what is settled and hands it to the
 * storage, which nobody waits for.
 */
import type { RecordedTranscript, RecordedWords } from "@voice/shared/contracts/http/recordings";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { toWebVtt } from "@voice/shared/recordings/captions";
import type { RecordingFormat, RecordingId, RecordingStore } from "@voice/shared/recordings/recording-store";
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import { bytesFromSamples } from "../../audio/pcm16.ts";
import { CallerClock } from "./caller-clock.ts";
import type { AgentWords, SessionRecorder } from "./session-recorder.ts";
import { SpokenRuns } from "./spoken-runs.ts";
import { StereoTimeline } from "./stereo-timeline.ts";
import { WriteBehind } from "./write-behind.ts";

/** How often what is settled is taken out. */
const drainIntervalMs = 1000;
/** After this nothing is expected to come for a moment: the caller's clock puts nothing further back, save long chunks. */
const settleMs = 1500;
/** Settled and unsettled audio, what plays in the future (the playout's lead), and a late timer. */
const capacityMs = 4000;
/** A frame that plays within this much of the end of the one before follows it: the rest is rounding. */
const joinFrames = 2;
/** At the end of a conversation; nobody waits, but the process may want to end. */
const finishMs = 10_000;

export interface RecorderOptions {
  readonly id: RecordingId;
  readonly format: RecordingFormat;
  readonly store: RecordingStore;
  /** It begins with the first thing the agent says, which is the announcement; otherwise now. */
  readonly awaitsAnnouncement: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** It has begun, or has ended: what the session says of it. */
  readonly onChanged: (recording: SessionRecording) => void;
  readonly onFailure: () => void;
}

export interface Recorder extends SessionRecorder {
  /** Idempotent. Resolves when everything is written, or given up. */
  close(): Promise<void>;
}

type Phase = "awaiting-announcement" | "recording" | "ended";

export function createRecorder(options: RecorderOptions): Recorder {
  const { clock, format, id, store } = options;
  const { sampleRateHz, channels } = format;
  const toFrames = (ms: number): number => Math.round((ms * sampleRateHz) / 1000);
  const toMs = (frames: number): number => Math.round((frames * 1000) / sampleRateHz);
  const timeline = new StereoTimeline(channels, toFrames(capacityMs));
  const callerClock = new CallerClock(sampleRateHz);
  const runs = new SpokenRuns();
  const entries: RecordedWords[] = [];
  let phase: Phase = "awaiting-announcement";
  let startedAtMs = 0;
  let startedAtWallMs = 0;
  let agentEnd = 0;
  let isDirty = true;
  let cancelDrain: CancelTimer | undefined;
  let writeBehind: WriteBehind | undefined;
  let durationMs: number | undefined;
  let closing: Promise<void> | undefined;

  const nowFrames = (): number => toFrames(clock.now() - startedAtMs);

  function begin(atMs: number): void {
    phase = "recording";
    startedAtMs = atMs;
    startedAtWallMs = Math.round(clock.wallNow() + (atMs - clock.now()));
    writeBehind = new WriteBehind({
      create: () => store.create(id, format),
      format,
      flushIntervalMs: store.flushIntervalMs,
      documents: describe,
      clock,
      logger: options.logger,
      onFailure: options.onFailure,
    });
    cancelDrain = clock.setTimer(drainIntervalMs, onTimer);
    options.onChanged(summary("recording"));
  }

  function onTimer(): void {
    cancelDrain = clock.setTimer(drainIntervalMs, onTimer);
    drain(nowFrames() - toFrames(settleMs));
    writeBehind?.tick();
    if (writeBehind?.isDeleted === true) void close();
  }

  function drain(until: number): void {
    if (until <= timeline.base) return;
    writeBehind?.push(bytesFromSamples(timeline.take(until)));
  }

  /** A late timer must not cost audio: what is settled makes room. */
  function makeRoom(end: number): void {
    if (end > timeline.limit) drain(nowFrames() - toFrames(settleMs));
  }

  function describe() {
    if (!isDirty) return undefined;
    isDirty = false;
    const transcript: RecordedTranscript = {
      session_id: id.sessionId,
      recording_id: id.recordingId,
      started_at: new Date(startedAtWallMs).toISOString(),
      duration_ms: durationMs ?? null,
      sample_rate: sampleRateHz,
      channels: channels === 1 ? ["caller"] : ["caller", "agent"],
      entries: entries.toSorted((one, other) => one.start_ms - other.start_ms),
    };
    return { transcript: `${JSON.stringify(transcript, undefined, 2)}\n`, captions: toWebVtt(transcript.entries) };
  }

  function summary(status: SessionRecording["status"], lostMs?: number): SessionRecording {
    const { recordingId } = id;
    return { recordingId, startedAtMs: startedAtWallMs, sampleRateHz, channels, status, durationMs, lostMs };
  }

  function say(words: Omit<RecordedWords, "start_ms" | "end_ms">, start: number, end: number): void {
    // A recogniser may date the first words back to before the recording began.
    const startMs = Math.max(0, toMs(start));
    entries.push({ ...words, start_ms: startMs, end_ms: Math.max(startMs, toMs(end)) });
    isDirty = true;
  }

  /** One after the other, each from where the one before ended. */
  function sayAll(turnId: string, pieces: readonly AgentWords[], interrupted: boolean): void {
    let spoken = 0;
    for (const [index, { text, agent, endSample }] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      const words = { speaker: "agent" as const, agent, text, turn_id: turnId, interrupted: interrupted && isLast };
      // What was cut off ends at the cut, in the middle of a word that is not among those that were heard.
      say(words, runs.startOf(spoken), words.interrupted ? runs.end : runs.endOf(endSample));
      spoken = endSample;
    }
  }

  async function finish(): Promise<void> {
    const wasRecording = phase === "recording";
    phase = "ended";
    cancelDrain?.();
    if (!wasRecording || writeBehind === undefined) return;
    const end = nowFrames();
    if (channels === 2) timeline.clear("agent", end); // the peer has gone; nobody heard the rest
    drain(end);
    durationMs = toMs(end);
    isDirty = true;
    const { outcome, lostMs } = await writeBehind.finish(finishMs);
    if (outcome === "deleted") return;
    if (outcome !== "complete") options.logger.error({ outcome, lostMs }, "a recording is not whole");
    options.onChanged(summary(outcome, lostMs));
  }

  if (!options.awaitsAnnouncement) begin(clock.now());

  const close = (): Promise<void> => (closing ??= finish());

  return {
    abandon: () => void close(),
    callerAudio(samples) {
      if (phase !== "recording") return;
      const start = callerClock.place(samples.length, nowFrames());
      if (start === undefined) return;
      makeRoom(start + samples.length);
      timeline.write("caller", start, samples);
    },
    agentAudio(frame, playsAtMs) {
      if (phase === "ended") return;
      if (phase === "awaiting-announcement") begin(playsAtMs);
      const playsAt = toFrames(playsAtMs - startedAtMs);
      const start = Math.abs(playsAt - agentEnd) <= joinFrames ? agentEnd : playsAt;
      agentEnd = start + frame.length;
      runs.add(start, frame.length);
      makeRoom(agentEnd);
      timeline.write("agent", start, frame);
    },
    agentStopped() {
      if (phase !== "recording") return;
      agentEnd = nowFrames();
      timeline.clear("agent", agentEnd);
      runs.cut(agentEnd);
    },
    callerSaid({ text, turnId, startedAtMs: fromMs, endedAtMs: untilMs }) {
      if (phase !== "recording") return;
      const words = { speaker: "caller" as const, agent: null, text, turn_id: turnId, interrupted: false };
      say(words, toFrames(fromMs - startedAtMs), toFrames(untilMs - startedAtMs));
    },
    agentSaid(turnId, pieces, interrupted) {
      if (phase === "recording") sayAll(turnId, pieces, interrupted);
      runs.reset();
    },
    close,
  };
}
