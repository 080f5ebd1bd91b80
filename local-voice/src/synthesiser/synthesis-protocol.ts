/** The messages between the synthesiser and its worker threads. */
import type { SpokenWord } from "@voice/provider-kit/ports/synthesiser";
import type { FliteSettings } from "./voices.ts";
import type { CompiledProgram } from "./compiled-program.ts";

export interface SynthesisWorkerData {
  /** Threads share its machine code. */
  readonly flite: CompiledProgram;
}

export type ToSynthesisWorker =
  | {
      readonly type: "speak";
      readonly job: number;
      readonly text: string;
      readonly settings: FliteSettings;
      readonly sampleRateHz: number;
    }
  | { readonly type: "cancel"; readonly job: number };

export type FromSynthesisWorker =
  | {
      readonly type: "piece";
      readonly job: number;
      readonly samples: Int16Array;
      readonly words: readonly SpokenWord[];
    }
  | { readonly type: "done"; readonly job: number }
  | { readonly type: "failed"; readonly job: number; readonly reason: string };
