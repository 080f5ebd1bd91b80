/**
 * A microphone that never stops: one 20 ms frame after the other at the pace of a real one, speech where there is some
 * and silence where there is none. Frame n is due at start + n * 20 ms whatever happened to frame n - 1, so timer
 * lateness never adds up.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { lastAudibleSample } from "./audible.ts";
import { toSample } from "./noise.ts";

export const frameMs = 20;

/** When a line was spoken, on the clock's scale. */
export interface SpokenLine {
  readonly startedMs: number;
  /** When its last audible sample left the mouth; what every latency is measured from. */
  readonly stoppedMs: number;
}

interface QueuedLine {
  readonly samples: Int16Array;
  readonly audibleEnd: number;
  readonly spoken: (line: SpokenLine) => void;
  offset: number;
  startedMs: number | undefined;
}

export interface MicrophoneOptions {
  readonly clock: Clock;
  readonly sampleRateHz: number;
  /** Receives each frame when it is due; the receiver may keep the array. */
  readonly onFrame: (frame: Int16Array) => void;
  /** The noise of the caller's room, sample by sample: it is there whether they speak or not. None where absent. */
  readonly background?: ((at: number) => number) | undefined;
}

export class PacedMicrophone {
  readonly #clock: Clock;
  readonly #sampleRateHz: number;
  readonly #frameSamples: number;
  readonly #onFrame: (frame: Int16Array) => void;
  readonly #background: ((at: number) => number) | undefined;
  readonly #lines: QueuedLine[] = [];
  #startMs = 0;
  #framesSent = 0;
  #running = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: MicrophoneOptions) {
    this.#clock = options.clock;
    this.#sampleRateHz = options.sampleRateHz;
    this.#frameSamples = (options.sampleRateHz * frameMs) / 1000;
    this.#onFrame = options.onFrame;
    this.#background = options.background;
  }

  start(): void {
    this.#startMs = this.#clock.now();
    this.#running = true;
    this.#schedule();
  }

  /** Resolves when the last sample was sent. Lines queue up; none is cut. */
  speak(samples: Int16Array): Promise<SpokenLine> {
    return new Promise((resolve) => {
      this.#lines.push({
        samples,
        audibleEnd: lastAudibleSample(samples) + 1,
        spoken: resolve,
        offset: 0,
        startedMs: undefined,
      });
    });
  }

  stop(): void {
    this.#running = false;
    this.#cancelTimer?.();
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.setTimer(Math.max(0, this.#dueMs() - this.#clock.now()), () => {
      while (this.#running && this.#dueMs() <= this.#clock.now()) this.#sendFrame();
      if (this.#running) this.#schedule();
    });
  }

  /** A frame leaves when its last sample has been captured, one frame length after its first. */
  #dueMs(): number {
    return this.#startMs + (this.#framesSent + 1) * frameMs;
  }

  #sendFrame(): void {
    const frame = new Int16Array(this.#frameSamples);
    const capturedFromMs = this.#startMs + this.#framesSent * frameMs;
    let filled = 0;
    for (let line = this.#lines[0]; line !== undefined && filled < frame.length; line = this.#lines[0]) {
      filled += this.#copy(line, frame, filled, capturedFromMs);
      if (line.offset < line.samples.length) break;
      this.#lines.shift();
      const startedMs = line.startedMs ?? capturedFromMs;
      line.spoken({ startedMs, stoppedMs: startedMs + (line.audibleEnd * 1000) / this.#sampleRateHz });
    }
    this.#addBackground(frame);
    this.#framesSent += 1;
    this.#onFrame(frame);
  }

  #addBackground(frame: Int16Array): void {
    if (this.#background === undefined) return;
    const from = this.#framesSent * this.#frameSamples;
    for (const [at, sample] of frame.entries()) frame[at] = toSample(sample + this.#background(from + at));
  }

  #copy(line: QueuedLine, frame: Int16Array, at: number, capturedFromMs: number): number {
    line.startedMs ??= capturedFromMs + (at * 1000) / this.#sampleRateHz;
    const piece = line.samples.subarray(line.offset, line.offset + frame.length - at);
    frame.set(piece, at);
    line.offset += piece.length;
    return piece.length;
  }
}
