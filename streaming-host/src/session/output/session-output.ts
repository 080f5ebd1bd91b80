/** A session's output to its peer: paced audio, the levels of both sides, and notices, which watchers receive too. */
import type { Clock } from "@voice/shared/platform/clock";
import type { SessionNotice, Transport } from "../../transports/transport.ts";
import { createHeardAudio } from "./heard-audio.ts";
import { createLevelMeter } from "./level-meter.ts";
import type { PlayoutTicker } from "../playout/playout-ticker.ts";
import { createPlayout } from "../playout/playout.ts";
import type { Playout, PlayoutEvents } from "../playout/playout.ts";
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
}

export interface SessionOutput {
  readonly playout: Playout;
  notify(notice: SessionNotice): void;
  showInputLevel(level: number): void;
  wake(): void;
  close(): void;
}

/** FAIL-3. */
const stallMs = 5000;

export function openSessionOutput(options: SessionOutputOptions): SessionOutput {
  const { transport, recorder, ticker, clock, events } = options;
  let isClosed = false;

  function notify(notice: SessionNotice): void {
    if (isClosed) return;
    transport.notify(notice);
    options.publish(notice);
    if (notice.type === "error") options.onError?.(notice.payload);
  }

  const levels = createLevelMeter(clock, (payload) => notify({ type: "audio_levels", payload }));
  const playout = createPlayout({
    clock,
    sampleRateHz: transport.sampleRateHz,
    leadMs: transport.leadMs,
    // Read anew each time, because a peer may measure it.
    get peerBufferMs() {
      return transport.bufferMs ?? 0;
    },
    stallMs,
    sink: createHeardAudio(transport, levels, recorder, options.onHeard ?? (() => undefined)),
    events,
  });
  const leaveTicker = ticker.add(playout);

  return {
    playout,
    notify,
    showInputLevel: (level) => levels.input(level),
    wake: () => ticker.wake(),
    close() {
      isClosed = true;
      leaveTicker();
      levels.close();
    },
  };
}
