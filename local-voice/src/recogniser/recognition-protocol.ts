/** The messages between the recogniser and its worker threads. One thread serves many streams. */
import type { RecognitionHints } from "@voice/provider-kit/ports/recogniser";
import type { SegmentText } from "./segment.ts";
import type { UtteredSpeech } from "./utterance.ts";
import type { CompiledProgram } from "../synthesiser/compiled-program.ts";

export interface RecognitionWorkerData {
  /** Flite, for the pronunciation of words that the dictionary lacks. */
  readonly flite: CompiledProgram;
  /** Number of decoders loaded before the thread reports that it is ready. */
  readonly warmDecoders: number;
  readonly maxDecoders: number;
  readonly confirmsSpeech: boolean;
  readonly suppressesNoise: boolean;
}

export type ToRecognitionWorker =
  | {
      readonly type: "open";
      readonly stream: number;
      readonly sampleRateHz: number;
      readonly segmentationSilenceMs: number;
      readonly longestPauseMs: number | undefined;
      readonly hints: RecognitionHints;
      /** Whether to send the caller's speech back for another recogniser. */
      readonly sendsSpeech: boolean;
    }
  | { readonly type: "audio"; readonly stream: number; readonly samples: Int16Array }
  | { readonly type: "flush"; readonly stream: number }
  | { readonly type: "hints"; readonly stream: number; readonly hints: RecognitionHints }
  /** The words of the last segment are known, though its grammar did not find them. */
  | { readonly type: "forget"; readonly stream: number }
  | { readonly type: "close"; readonly stream: number };

export type FromRecognitionWorker =
  | { readonly type: "opened"; readonly stream: number }
  | ({ readonly type: "partial" | "final"; readonly stream: number } & SegmentText)
  | ({ readonly type: "speech"; readonly stream: number } & UtteredSpeech)
  /** How much of the stream's audio has been processed; the main thread uses it to bound the backlog. */
  | { readonly type: "heard"; readonly stream: number; readonly samples: number }
  | { readonly type: "failed"; readonly stream: number; readonly reason: string };
