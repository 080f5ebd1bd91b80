/**
 * A `Recogniser` that detects speech in the audio but takes the words from a script. Its time is counted in samples.
 */
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type {
  RecognitionEvents,
  RecognitionOptions,
  RecognitionStream,
  Recogniser,
} from "@voice/provider-kit/ports/recogniser";
import { EnergySegmenter } from "./energy-segmenter.ts";

export interface ScriptedRecogniser extends Recogniser {
  /** Texts of the next segments, across all streams. An empty text stands for sound without words. */
  script(...texts: readonly string[]): void;
}

/** The partial grows by a word for each of these stretches of speech. */
const msPerPartialWord = 200;
const unscripted = "hello";

export function createScriptedRecogniser(): ScriptedRecogniser {
  const texts: string[] = [];
  let open = 0;

  function openStream(options: RecognitionOptions, events: RecognitionEvents): RecognitionStream {
    const language = options.language;
    let text = "";
    let closed = false;
    const segmenter = new EnergySegmenter(
      { sampleRateHz: options.sampleRateHz, silenceMs: options.segmentationSilenceMs },
      {
        onStart: () => {
          text = texts.shift() ?? unscripted;
        },
        onProgress: (elapsedMs) => {
          const words = text.split(" ").slice(0, Math.max(1, Math.floor(elapsedMs / msPerPartialWord)));
          const endMs = segmenter.positionMs;
          if (text !== "") events.onPartial({ text: words.join(" "), startMs: endMs - elapsedMs, endMs, language });
        },
        onEnd: (startMs, endMs) => events.onFinal({ text, startMs, endMs, language }),
      },
    );
    return {
      write: (samples) => {
        if (!closed) segmenter.write(samples);
      },
      flush: () => {
        if (!closed) segmenter.flush();
      },
      setHints: () => true,
      close: () => {
        if (!closed) open--;
        closed = true;
      },
    };
  }

  return {
    script: (...more) => {
      texts.push(...more);
    },
    open: (options, events, signal) => {
      signal.throwIfAborted();
      open++;
      return Promise.resolve(openStream(options, events));
    },
    pool: () => ({ ...emptyPool, activeSessions: open }),
    close: () => Promise.resolve(),
  };
}
