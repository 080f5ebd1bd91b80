/** Runs on the audio thread: the agent's PCM16 in, sound out, through the jitter buffer. */
import { fromPcm16, loudness } from "./frame-packer.ts";
import { JitterBuffer } from "./jitter-buffer.ts";
import { StreamResampler } from "./stream-resampler.ts";
import { playbackProcessor } from "./worklet-messages.ts";
import type { PlaybackReport, ToPlayback } from "./worklet-messages.ts";

/** As often as the level meter paints. */
const reportEveryMs = 100;

class PlaybackProcessor extends AudioWorkletProcessor {
  readonly #buffer = new JitterBuffer(sampleRate);
  #resampler = new StreamResampler(sampleRate, sampleRate);
  #inputRateHz = sampleRate;
  #samplesSinceReport = 0;
  #peak = 0;
  #reported = 0;

  constructor() {
    super();
    this.port.addEventListener("message", ({ data }: MessageEvent<ToPlayback>) => {
      if (data.kind === "clear") this.#buffer.clear();
      else this.#play(new Int16Array(data.samples), data.sampleRateHz);
    });
    this.port.start();
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [left, ...others] = outputs[0] ?? [];
    if (left === undefined) return true;
    this.#buffer.pull(left);
    for (const channel of others) channel.set(left);
    this.#report(left);
    return true;
  }

  #play(samples: Int16Array, sampleRateHz: number): void {
    if (sampleRateHz !== this.#inputRateHz) {
      this.#resampler = new StreamResampler(sampleRateHz, sampleRate);
      this.#inputRateHz = sampleRateHz;
    }
    // The resampler reuses its output array, and the buffer keeps its input, so this is a copy.
    this.#buffer.push(this.#resampler.process(fromPcm16(samples)).slice());
  }

  #report(played: Float32Array): void {
    this.#peak = Math.max(this.#peak, loudness(played));
    this.#samplesSinceReport += played.length;
    if (this.#samplesSinceReport < (sampleRate * reportEveryMs) / 1000) return;
    // Silence is reported only once, so that a page in which nobody speaks does no work.
    if (this.#peak !== this.#reported) {
      const report: PlaybackReport = { level: this.#peak };
      this.port.postMessage(report, []);
    }
    this.#reported = this.#peak;
    this.#samplesSinceReport = 0;
    this.#peak = 0;
  }
}

registerProcessor(playbackProcessor, PlaybackProcessor);
