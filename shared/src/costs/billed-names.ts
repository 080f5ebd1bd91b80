/** The names under which the price file lists the services that the settings select. Services on this machine have none (COST-3). */
import type { Parts, SpeechPart } from "../config/parts.ts";

/** The properties of a voice on which its price depends. */
interface BilledVoice {
  readonly name: string;
  readonly endpointId?: string | undefined;
  readonly personalModel?: string | undefined;
}

export interface BilledNames {
  /** The model for agents that name none of their own. */
  readonly languageModel?: string | undefined;
  readonly realtimeModel?: string | undefined;
  /** The transcription model of a realtime model, if it is charged separately. */
  readonly realtimeTranscription?: string | undefined;
  readonly recognition?: string | undefined;
  readonly synthesis?: ((voice: BilledVoice) => string) | undefined;
}

export const nothingBilled: BilledNames = {};

/** The default transcription model in OpenAI's realtime sessions; that of Voice Live is included in the price of its tokens. */
export const defaultTranscriptionModel = "gpt-transcribe";

export function billedNamesOf(parts: Parts): BilledNames {
  const { languageModel, realtimeModel, recognition, synthesis } = parts;
  return {
    languageModel: modelName(languageModel),
    realtimeModel: realtimeName(realtimeModel),
    realtimeTranscription:
      realtimeModel.kind === "openai" ? (realtimeModel.transcriptionModel ?? defaultTranscriptionModel) : undefined,
    recognition: recognitionName(recognition),
    synthesis: synthesisName(synthesis),
  };
}

/** A user's own provider is billed under the name of its module. */
function modelName(part: Parts["languageModel"]): string | undefined {
  if (part.kind === "local") return undefined;
  return part.kind === "own" ? part.module : (part.deployment ?? "unnamed");
}

function realtimeName(part: Parts["realtimeModel"]): string | undefined {
  if (part.kind === "none") return undefined;
  return part.kind === "own" ? part.module : part.model;
}

function recognitionName(part: SpeechPart): string | undefined {
  if (part.kind === "local" || part.kind === "model") return undefined;
  if (part.kind === "own") return part.module;
  return part.kind === "openai" ? part.model : "azure-speech-to-text";
}

function synthesisName(part: SpeechPart): BilledNames["synthesis"] {
  if (part.kind === "local" || part.kind === "model") return undefined;
  if (part.kind === "own") return () => part.module;
  return part.kind === "openai" ? () => part.model : azureVoiceName;
}

/** The kinds of voices in Azure's price list. */
function azureVoiceName({ name, endpointId, personalModel }: BilledVoice): string {
  if (personalModel !== undefined) return "azure-personal-voice";
  if (endpointId !== undefined) return "azure-custom-voice";
  return /DragonHD/i.test(name) ? "azure-neural-hd-voice" : "azure-neural-voice";
}
