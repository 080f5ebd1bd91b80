/** The local recogniser without its thread: it has heard each frame before the call returns. */
import { loadRecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import type { RecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { AllocationCount } from "@voice/provider-kit/ports/allocation-count";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";

export async function createInlineRecogniser(decoderCount: number): Promise<Recogniser> {
  const flite = await compileFlite();
  // The engine's module wants to decide what becomes of this process when something is not caught.
  const handlers = process.listeners("uncaughtException");
  const engine = await loadRecognitionEngine(flite, { warm: decoderCount, max: decoderCount });
  for (const handler of process.listeners("uncaughtException"))
    if (!handlers.includes(handler)) process.removeListener("uncaughtException", handler);

  return inlineRecogniser(engine);
}

/** `deliver` notifies the stream's owner: at once, or later where the owner must not be notified before its own call returns. */
export function inlineRecogniser(
  engine: RecognitionEngine,
  deliver: (tell: () => void) => void = (tell) => tell(),
): Recogniser {
  const allocations = new AllocationCount();
  let activeSessions = 0;
  let isClosed = false;
  return {
    async open({ sampleRateHz, segmentationSilenceMs, longestPauseMs, hints, language }, events, signal) {
      signal.throwIfAborted();
      if (isClosed) throw new VoiceError("dependency_not_ready", "recogniser is closed");
      let isOpen = true;
      const whileOpen = (tell: () => void): void => {
        deliver(() => {
          if (isOpen) tell();
        });
      };
      const stream = engine.open({
        sampleRateHz,
        segmentationSilenceMs,
        longestPauseMs,
        hints,
        onPartial: (partial) => whileOpen(() => events.onPartial({ ...partial, language })),
        onFinal: (final) => whileOpen(() => events.onFinal({ ...final, language })),
      });
      activeSessions += 1;
      allocations.add({ isWarm: true });
      return {
        write: (samples) => {
          if (isOpen) stream.write(samples.slice());
        },
        flush: () => {
          if (isOpen) stream.flush();
        },
        setHints(next) {
          engine.expect(stream, next);
          return true;
        },
        close() {
          if (!isOpen) return;
          isOpen = false;
          activeSessions -= 1;
          stream.close();
        },
      };
    },
    pool: () => ({ ...emptyPool, ready: !isClosed, activeSessions, ...allocations.figures }),
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
}
