/** One text as a stream of audio: what the server sends is identified, and converted to samples at the requested rate as it arrives. */
import { AudioReader } from "@voice/provider-kit/speech-answer/audio-reader";
import type { SynthesisEvents } from "@voice/provider-kit/ports/synthesiser";
import type { Clock } from "@voice/shared/platform/clock";
import { explainedError, type VoiceError } from "@voice/shared/platform/errors";
import { limitSilence } from "../../limit-silence.ts";
import { toUpstreamError } from "../errors.ts";

/** A difference of 16 steps is 66 dB below full scale: it is inaudible, and a conversion can turn silence into this much. */
const silenceLevel = 16;
export const service = "speech synthesis";

export interface UtteranceOptions {
  /** Opens the answer; the signal also ends it. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly sampleRateHz: number;
  /** For samples whose rate the server does not declare. */
  readonly rawRateHz: number;
  readonly events: Pick<SynthesisEvents, "onAudio" | "onFound">;
  /** The longest wait for the first audio, and from each piece to the next. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Once audio was delivered, it resolves with an error instead of rejecting, because audio that was heard must not be repeated. */
export async function speak(options: UtteranceOptions, signal: AbortSignal): Promise<VoiceError | undefined> {
  const { open, sampleRateHz, rawRateHz, events, timeoutMs, clock } = options;
  const late = new AbortController();
  const limit = limitSilence(clock, service, (error) => late.abort(error));
  let hasSpoken = false;
  // A response that contains only silence has failed, and none of it is played.
  const silence: Int16Array[] = [];
  const onAudio = (samples: Int16Array): void => {
    hasSpoken ||= samples.some((sample) => Math.abs(sample) > silenceLevel);
    silence.push(samples);
    if (hasSpoken) for (const audible of silence.splice(0)) events.onAudio(audible);
  };
  limit.expect(timeoutMs);
  try {
    const response = await open(AbortSignal.any([signal, late.signal]));
    const reader = new AudioReader({ headers: response.headers, service, rawRateHz, sampleRateHz, onAudio });
    for await (const bytes of response.body ?? []) {
      signal.throwIfAborted();
      limit.expect(timeoutMs);
      reader.write(bytes);
    }
    reader.end();
    if (reader.found !== undefined) events.onFound?.(reader.found);
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
    limit.expectNothing();
  }
}
