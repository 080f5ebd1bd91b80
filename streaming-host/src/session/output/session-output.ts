/** A session's output to its peer: paced audio, the levels of both sides, and notices, which watchers receive too. */
import type { Clock } from "@voice/shared/platform/clock";
import type { SessionNotice, Transport } from "../../transports/transport.ts";
import type { WaitingSoundName } from "@voice/shared/catalog/waiting-sounds";
import { createHeardAudio } from "./heard-audio.ts";
import { LevelMeter } from "./level-meter.ts";
import { WaitingSound } from "./waiting-sound.ts";
import type { PlayoutTicker } from "../playout/playout-ticker.ts";
import { Playout } from "../playout/playout.ts";
import type { PlayoutEvents } from "../playout/playout.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";

export interface SessionOutputOptions {
  readonly transport: Transport;
  readonly recorder: SessionRecorder;
  readonly ticker: PlayoutTicker;
  readonly clock: Clock;
  /** Receives every notice that the transport gets, for watchers. */
  readonly publish: (notice: SessionNotice) => void;
  /** Called with each error of which the transport was notified. */
  readonly onError?: (error: Extract<SessionNotice, { type: "error" }>["payload"]) => void;
  readonly events: PlayoutEvents;
  /** What the caller hears, and when. The array is reused after the call. */
  readonly onHeard?: (frame: Int16Array, playsAtMs: number) => void;
  /** SOUND-1. */
  readonly waitingSound?: () => WaitingSoundName | undefined;
}

export interface SessionOutput {
  readonly playout: Playout;
  notify(notice: SessionNotice): void;
  showInputLevel(level: number): void;
  wake(): void;
  /** SOUND-1: whether the caller waits for the agent. */
  showWaiting(isWaiting: boolean): void;
  close(): void;
}

/** FAIL-3. */
const stallMs = 5000;

export function openSessionOutput(options: SessionOutputOptions): SessionOutput {
  const { transport, recorder, ticker, clock, events, onHeard = () => undefined, waitingSound: sound } = options;
  let isClosed = false;

  function notify(notice: SessionNotice): void {
    if (isClosed) return;
    transport.notify(notice);
    options.publish(notice);
    if (notice.type === "error") options.onError?.(notice.payload);
  }

  const levels = new LevelMeter(clock, (payload) => notify({ type: "audio_levels", payload }));
  const playout = new Playout({
    clock,
    sampleRateHz: transport.sampleRateHz,
    leadMs: transport.leadMs,
    // Read anew each time, because a peer may measure it.
    get peerBufferMs() {
      return transport.bufferMs ?? 0;
    },
    stallMs,
    sink: createHeardAudio(transport, levels, recorder, notify, onHeard),
    events,
  });
  const leaveTicker = ticker.add(playout);
  const waitingSound = new WaitingSound({
    clock,
    sampleRateHz: transport.sampleRateHz,
    sound: () => sound?.(),
    // Neither recorded nor shown as the agent's level; but what comes back of it as echo is known.
    send: (frame, playsAtMs) => {
      transport.sendAudio(frame);
      onHeard(frame, playsAtMs + (transport.bufferMs ?? 0));
    },
    // The reply has begun where there is one: its audio goes on in the same chunk.
    end: () => {
      if (!playout.isActive || playout.isDry) transport.endAudio?.();
    },
  });
  const leaveTickerToo = ticker.add(waitingSound);

  return {
    playout,
    notify,
    showInputLevel: (level) => levels.input(level),
    wake: () => ticker.wake(),
    showWaiting: (isWaiting) => {
      if (waitingSound.follow(isWaiting && !isClosed)) ticker.wake();
    },
    close() {
      isClosed = true;
      waitingSound.follow(false);
      leaveTicker();
      leaveTickerToo();
      levels.close();
    },
  };
}
