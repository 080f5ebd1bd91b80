/** Under which names the price file has the services that the settings choose. Those on this machine have none (COST-3). */
import type { Parts, SpeechPart } from "../config/parts.ts";

/** The parts of a voice that its price depends on. */
interface BilledVoice {
  readonly name: string;
  readonly endpointId?: string | undefined;
  readonly personalModel?: string | undefined;
}

export interface BilledNames {
  /** Of agents that name no model of their own. */
  readonly languageModel?: string | undefined;
  readonly realtimeModel?: string | undefined;
  /** Transcribes for the realtime model, where it is paid for by itself. */
  readonly realtimeTranscription?: string | undefined;
  readonly recognition?: string | undefined;
  readonly synthesis?: ((voice: BilledVoice) => string) | undefined;
}

export const nothingBilled: BilledNames = {};

/** What OpenAI's realtime sessions transcribe with unless a setting names another; that of Voice Live is part of its tokens' price. */
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

/** A provider of one's own is billed under the name of its module. */
function modelName(part: Parts["languageModel"]): string | undefined {
  if (part.kind === "local") return undefined;
  return part.kind === "own" ? part.module : (part.deployment ?? "unnamed");
}

function realtimeName(part: Parts["realtimeModel"]): string | undefined {
  if (part.kind === "none") return undefined;
  return part.kind === "own" ? part.module : part.model;
}

function recognitionName(part: SpeechPart): string | undefined {
  if (part.kind === "local") return undefined;
  if (part.kind === "own") return part.module;
  return part.kind === "openai" ? part.model : "azure-speech-to-text";
}

function synthesisName(part: SpeechPart): BilledNames["synthesis"] {
  if (part.kind === "local") return undefined;
  if (part.kind === "own") return () => part.module;
  return part.kind === "openai" ? () => part.model : azureVoiceName;
}

/** Azure's price list has these kinds of voices. */
function azureVoiceName({ name, endpointId, personalModel }: BilledVoice): string {
  if (personalModel !== undefined) return "azure-personal-voice";
  if (endpointId !== undefined) return "azure-custom-voice";
  return /DragonHD/i.test(name) ? "azure-neural-hd-voice" : "azure-neural-voice";
}
