/**
 * Sends both sides of a conversation to operators who listen in (OPS-2). It wraps the recorder on the audio path and
 * passes everything on. Without a listener a frame costs one comparison.
 */
import { Buffer } from "node:buffer";
import type { Clock } from "@voice/shared/platform/clock";
import type { SessionRecorder } from "./session-recorder.ts";
import type { RecordedSide } from "./stereo-timeline.ts";

export interface ListenInOptions {
  readonly recorder: SessionRecorder;
  readonly sampleRateHz: number;
  readonly clock: Clock;
  /** How long a listener stays without renewing. */
  readonly patienceMs: number;
  /** About a tenth of a second of PCM16. */
  readonly onAudio: (side: RecordedSide, pcm: Buffer) => void;
}

export interface ListenIn {
  readonly recorder: SessionRecorder;
  /** Starts or renews listening. */
  renew(): void;
}

/** Ten messages a second for each side. */
const chunkMs = 100;

export function createListenIn(options: ListenInOptions): ListenIn {
  const { recorder, clock, patienceMs } = options;
  let untilMs = 0;
  const caller = new Chunks("caller", options);
  const agent = new Chunks("agent", options);

  function isHeard(): boolean {
    if (untilMs === 0) return false;
    if (clock.now() <= untilMs) return true;
    untilMs = 0;
    caller.clear();
    agent.clear();
    return false;
  }

  return {
    renew() {
      untilMs = clock.now() + patienceMs;
    },
    recorder: {
      abandon: () => recorder.abandon(),
      callerAudio(samples) {
        recorder.callerAudio(samples);
        if (isHeard()) caller.add(samples);
      },
      agentAudio(frame, playsAtMs) {
        recorder.agentAudio(frame, playsAtMs);
        if (isHeard()) agent.add(frame);
      },
      agentStopped() {
        recorder.agentStopped();
        if (isHeard()) agent.flush();
      },
      callerSaid: (words) => recorder.callerSaid(words),
      agentSaid: (reply) => recorder.agentSaid(reply),
    },
  };
}

/** Collects the samples of one side until they are worth a message. */
class Chunks {
  readonly #side: RecordedSide;
  readonly #onAudio: ListenInOptions["onAudio"];
  readonly #chunkSamples: number;
  /** Allocated for the first listener; most conversations have none. */
  #samples: Int16Array<ArrayBuffer> | undefined;
  #length = 0;

  constructor(side: RecordedSide, { sampleRateHz, onAudio }: ListenInOptions) {
    this.#side = side;
    this.#onAudio = onAudio;
    this.#chunkSamples = (sampleRateHz * chunkMs) / 1000;
  }

  add(samples: Int16Array): void {
    const chunk = (this.#samples ??= new Int16Array(this.#chunkSamples));
    for (let at = 0; at < samples.length;) {
      const part = samples.subarray(at, at + chunk.length - this.#length);
      chunk.set(part, this.#length);
      this.#length += part.length;
      at += part.length;
      if (this.#length === chunk.length) this.flush();
    }
  }

  flush(): void {
    if (this.#length === 0 || this.#samples === undefined) return;
    this.#onAudio(this.#side, Buffer.from(this.#samples.buffer, 0, this.#length * 2));
    this.#length = 0;
  }

  clear(): void {
    this.#length = 0;
  }
}
