/**
 * Another voice for text whose audio from the server cannot be decoded (SPEECH-20). Without it callers would hear silence, not even an
 * apology. It replaces one text at a time and sits above all caches of finished audio, so that the server's own voice returns as soon as
 * its audio can be decoded.
 */
import { UnreadableAudioError } from "@voice/provider-kit/speech-answer/audio-reader";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Logger } from "@voice/shared/platform/logger";

export function withStandInVoice(first: Synthesiser, create: () => Promise<Synthesiser>, logger: Logger): Synthesiser {
  let other: Promise<Synthesiser> | undefined;
  /**
   * True from a response that cannot be decoded to the next one that can. In between, requests to the server may be held back, which is
   * reported as another error.
   */
  let isUnreadable = false;

  return {
    async synthesise(request, events, signal) {
      let hasSpoken = false;
      const noted: typeof events = {
        ...events,
        onAudio(samples) {
          hasSpoken = true;
          events.onAudio(samples);
        },
        onWord: events.onWord.bind(events),
      };
      try {
        await first.synthesise(request, noted, signal);
        if (hasSpoken) isUnreadable = false;
      } catch (error) {
        if (error instanceof UnreadableAudioError && !isUnreadable) {
          isUnreadable = true;
          logger.warn(
            { reason: error.reason },
            "this machine's voice speaks in place of the server's, which is not read",
          );
        }
        if (hasSpoken || signal.aborted || !isUnreadable) throw error;
        other ??= create();
        const standIn = await other;
        await standIn.synthesise(request, events, signal);
      }
    },
    pool: () => first.pool(),
    async close() {
      const standIn = await other;
      await Promise.all([first.close(), standIn?.close()]);
    },
  };
}
