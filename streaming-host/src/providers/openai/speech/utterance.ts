/** One text as a stream of audio: chunks of bytes are converted to samples at the requested rate as they arrive. */
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { SynthesisEvents } from "@voice/provider-kit/ports/synthesiser";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { explainedError, type VoiceError } from "@voice/shared/platform/errors";
import { toUpstreamError } from "../errors.ts";

/** Raw PCM of the protocol: 16 bits, one channel. */
const rawRateHz = 24_000;
export const service = "speech synthesis";

export interface UtteranceOptions {
  /** Opens the answer; the signal also ends it. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly sampleRateHz: number;
  readonly events: Pick<SynthesisEvents, "onAudio">;
  /** The longest time to the first audio, and from each piece to the next. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Resolves with an error, instead of rejecting, once audio was delivered, because what has been heard cannot be
 * repeated.
 */
export async function speak(options: UtteranceOptions, signal: AbortSignal): Promise<VoiceError | undefined> {
  const { open, sampleRateHz, events, timeoutMs, clock } = options;
  const late = new AbortController();
  let cancel: CancelTimer = () => {};
  const expectProgress = (): void => {
    cancel();
    cancel = clock.setTimer(timeoutMs, () =>
      late.abort(explainedError("upstream_timeout", `${service} was silent for ${timeoutMs} ms`)),
    );
  };
  const resampler = createResampler(rawRateHz, sampleRateHz);
  const samples = new SampleAssembler();
  let hasSpoken = false;
  expectProgress();
  try {
    const response = await open(AbortSignal.any([signal, late.signal]));
    for await (const bytes of response.body ?? []) {
      signal.throwIfAborted();
      expectProgress();
      const chunk = resampler.process(samples.take(bytes));
      if (chunk.length === 0) continue;
      hasSpoken = true;
      events.onAudio(chunk);
    }
    if (hasSpoken) return undefined;
    throw explainedError("upstream_unavailable", `${service} answered without audio`);
  } catch (error) {
    signal.throwIfAborted();
    const failure = late.signal.aborted
      ? toUpstreamError(late.signal.reason, service)
      : toUpstreamError(error, service);
    if (!hasSpoken) throw failure;
    return failure;
  } finally {
    cancel();
  }
}

/** Chunks may end anywhere, even in the middle of a sample. */
class SampleAssembler {
  #rest = new Uint8Array(0);

  /** Copied into its own array, because the chunk's memory may begin at an odd byte. */
  take(chunk: Uint8Array): Int16Array {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    const whole = bytes.length - (bytes.length % 2);
    this.#rest = bytes.slice(whole);
    return new Int16Array(bytes.buffer.slice(0, whole));
  }
}
