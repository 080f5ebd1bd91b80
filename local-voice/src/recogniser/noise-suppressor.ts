/**
 * Takes noise out of a stream before anything is recognised in it, with RNNoise: a network that was trained on speech, where
 * `noise-filter.ts` needs a pause to know the noise by. It works at 48 kHz, so the stream is resampled on its way in and out.
 */
import type { RnnoiseModule } from "@echogarden/rnnoise-wasm";
import { VoiceError } from "@voice/shared/platform/errors";
import { createFramer } from "@voice/provider-kit/audio/framing";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { createResampler, type Resampler } from "@voice/provider-kit/audio/resample";
import { decoderRateHz } from "./decoder.ts";

/** What is written once comes out once, later by `delaySamples`, however it is cut into pieces. */
export interface NoiseSuppressor extends Pick<Resampler, "process" | "delaySamples"> {
  close(): void;
}

/** Of audio at the decoder's rate, even from a line of 48 kHz: with noise above 8 kHz, too, RNNoise attenuates much less of what is below. */
export type CreateNoiseSuppressor = () => NoiseSuppressor;

const suppressorRateHz = 48_000;
const bytesPerFloat = 4;

/** The package is loaded here only, so that nobody pays for it who has not asked for it. */
export async function loadNoiseSuppression(): Promise<CreateNoiseSuppressor> {
  try {
    const { default: createRnnoise } = await import("@echogarden/rnnoise-wasm");
    const rnnoise = await createRnnoise();
    return () => new RnnoiseSuppressor(rnnoise);
  } catch (error) {
    throw new VoiceError("dependency_not_ready", "noise suppression cannot be loaded", { cause: error });
  }
}

class RnnoiseSuppressor implements NoiseSuppressor {
  readonly delaySamples: number;
  readonly #rnnoise: RnnoiseModule;
  readonly #up = createResampler(decoderRateHz, suppressorRateHz);
  readonly #down = createResampler(suppressorRateHz, decoderRateHz);
  readonly #frameSamples: number;
  readonly #framer: ReturnType<typeof createFramer>;
  readonly #state: number;
  readonly #inputAt: number;
  readonly #outputAt: number;
  #isOpen = true;

  constructor(rnnoise: RnnoiseModule) {
    this.#rnnoise = rnnoise;
    this.#frameSamples = rnnoise._rnnoise_get_frame_size();
    this.#framer = createFramer(this.#frameSamples);
    this.#state = rnnoise._rnnoise_create(0);
    this.#inputAt = rnnoise._malloc(this.#frameSamples * bytesPerFloat);
    this.#outputAt = rnnoise._malloc(this.#frameSamples * bytesPerFloat);
    if (this.#state === 0 || this.#inputAt === 0 || this.#outputAt === 0)
      throw new VoiceError("dependency_not_ready", "no memory to suppress noise");
    // Its windows overlap by a frame, whose second half is known with the next frame only.
    const inside = this.#up.delaySamples + this.#frameSamples;
    this.delaySamples = this.#down.delaySamples + (inside * decoderRateHz) / suppressorRateHz;
  }

  process(samples: Int16Array): Int16Array {
    if (!this.#isOpen) return new Int16Array();
    const clean: Int16Array[] = [];
    this.#framer.push(this.#up.process(samples), (frame) => clean.push(this.#suppress(frame)));
    return this.#down.process(joinSamples(clean));
  }

  close(): void {
    if (!this.#isOpen) return; // its memory may already belong to the next stream
    this.#isOpen = false;
    this.#rnnoise._rnnoise_destroy(this.#state);
    this.#rnnoise._free(this.#inputAt);
    this.#rnnoise._free(this.#outputAt);
  }

  /** In place. */
  #suppress(frame: Int16Array): Int16Array {
    this.#rnnoise.HEAPF32.set(frame, this.#inputAt / bytesPerFloat);
    this.#rnnoise._rnnoise_process_frame(this.#state, this.#outputAt, this.#inputAt);
    const from = this.#outputAt / bytesPerFloat;
    const clean = this.#rnnoise.HEAPF32.subarray(from, from + this.#frameSamples);
    for (let at = 0; at < frame.length; at++)
      frame[at] = Math.max(-32_768, Math.min(32_767, Math.round(clean[at] ?? 0)));
    return frame;
  }
}
