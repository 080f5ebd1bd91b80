/** One request on one client, as a promise that always settles. */
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { bytesPerSample, samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { WholeFrames } from "@voice/provider-kit/audio/whole-frames";
import type { SynthesisEvents, SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";
import { limitSilence } from "../limit-silence.ts";
import { toSsml } from "./ssml.ts";
import type { SynthesisClient } from "./synthesis-client.ts";
import type { Lease } from "./warm-pool.ts";
import { WordFinder } from "./word-finder.ts";
import { abortReason } from "@voice/shared/platform/unless-aborted";

export type Utterance = {
  readonly request: SynthesisRequest;
  readonly events: SynthesisEvents;
  /** The longest wait for the first chunk of audio. */
  readonly firstAudioMs: number;
  /** The longest wait between two chunks. */
  readonly timeoutMs: number;
  readonly clock: Clock;
};

/** How long a stopped client may take to finish before it is discarded. */
const stopGraceMs = 300;

/** Once audio was delivered, it resolves with an error instead of rejecting, because audio that was heard must not be repeated. */
export function speak(
  lease: Lease<SynthesisClient>,
  utterance: Utterance,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const { request, events, firstAudioMs, timeoutMs, clock } = utterance;
  if (signal.aborted) {
    lease.release("reuse");
    return Promise.reject(abortReason(signal));
  }
  return new Promise((resolve, reject) => {
    const words = new WordFinder(request.text);
    // Chunks may end anywhere, even in the middle of a sample.
    const frames = new WholeFrames(bytesPerSample);
    let isOver = false;
    let hasSpoken = false;
    const silence = limitSilence(clock, "the speech service", (error) => {
      settle(error);
      lease.release("discard");
    });

    const onAbort = (): void => {
      if (!settle(abortReason(signal))) return;
      // The service continues to send audio that is not needed; once it has stopped, the client can serve the next request.
      const cancelGrace = clock.setTimer(stopGraceMs, () => lease.release("discard"));
      afterwards = (error) => {
        cancelGrace();
        lease.release(error === undefined ? "reuse" : "discard");
      };
      if (!lease.client.stop()) afterwards(new VoiceError("internal_error", "the SDK cannot stop an utterance"));
    };
    let afterwards = (_error: VoiceError | undefined): void => {};

    function settle(error: Error | undefined): boolean {
      if (isOver) return false;
      isOver = true;
      silence.expectNothing();
      signal.removeEventListener("abort", onAbort);
      if (error === undefined || (hasSpoken && !signal.aborted)) resolve(error);
      else reject(error);
      return true;
    }

    signal.addEventListener("abort", onAbort, { once: true });
    silence.expect(firstAudioMs);
    lease.client.speak(toSsml(request), {
      onAudio: (bytes) => {
        if (isOver) return;
        hasSpoken = true;
        silence.expect(timeoutMs);
        const chunk = samplesFromBytes(frames.push(new Uint8Array(bytes)));
        if (chunk.length > 0) events.onAudio(chunk);
      },
      onWord: ({ text, startMs, endMs }) => {
        if (isOver) return;
        const textOffset = words.find(text);
        if (textOffset !== undefined) events.onWord({ textOffset, textLength: text.length, startMs, endMs });
      },
      onEnd: (error) => {
        if (!settle(error)) afterwards(error);
        else lease.release(error === undefined ? "reuse" : "discard");
      },
    });
  });
}
