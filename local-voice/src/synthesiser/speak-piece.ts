/** A voice of this machine, in its worker thread: a piece of text in, speech out. */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import type { Phone } from "./word-timings.ts";

export interface SpokenPiece {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** Times are relative to the first sample. */
  readonly phones: readonly Phone[];
}

export type SpeakPiece = (text: string, voice: Voice) => SpokenPiece;
