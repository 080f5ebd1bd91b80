/** Runs on the audio thread: microphone in, PCM16 frames at the service's rate out. */
import { FramePacker, loudness } from "./frame-packer.ts";
import { StreamResampler } from "./stream-resampler.ts";
import { captureProcessor } from "./worklet-messages.ts";
import type { CapturedFrame, ToCapture } from "./worklet-messages.ts";

class CaptureProcessor extends AudioWorkletProcessor {
  #resampler: StreamResampler | undefined;
  #packer: FramePacker | undefined;

  constructor() {
    super();
    this.port.addEventListener("message", ({ data }: MessageEvent<ToCapture>) => {
      this.#resampler = new StreamResampler(sampleRate, data.sampleRateHz);
      this.#packer = new FramePacker(data.sampleRateHz);
    });
    this.port.start();
  }

  process(inputs: Float32Array[][]): boolean {
    const microphone = inputs[0]?.[0];
    if (microphone === undefined || this.#resampler === undefined) return true;
    const level = loudness(microphone);
    this.#packer?.push(this.#resampler.process(microphone), (frame) => {
      const captured: CapturedFrame = { samples: frame.buffer, level };
      this.port.postMessage(captured, [frame.buffer]);
    });
    return true;
  }
}

registerProcessor(captureProcessor, CaptureProcessor);
