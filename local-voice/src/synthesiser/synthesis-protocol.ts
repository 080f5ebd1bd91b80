/** The messages between the synthesiser and its worker threads. */
import type { SpokenWord, Voice } from "@voice/provider-kit/ports/synthesiser";
import type { VoiceModel } from "../voice-model/voice-model-folder.ts";
import type { CompiledProgram } from "./compiled-program.ts";

export interface SynthesisWorkerData {
  /** A user's own, or else Flite, whose machine code the threads share. */
  readonly voice: { readonly model: VoiceModel } | { readonly flite: CompiledProgram };
}

export type ToSynthesisWorker =
  | {
      readonly type: "speak";
      readonly job: number;
      readonly text: string;
      readonly voice: Voice;
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
