/**
 * Voice Live's dialect of the realtime protocol: the names of its beta, Azure's voices and filters, and fixed words to
 * speak.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { readOut } from "@voice/provider-kit/realtime-protocol/read-out";
import type { OtherRequest, RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";
import { parseServerEvent } from "@voice/provider-kit/realtime-protocol/server-events";
import { LearntSettings } from "@voice/provider-kit/realtime-protocol/session-settings";
import { readPadding } from "@voice/provider-kit/realtime-protocol/turn-times";
import { otherPart, transcriptionModels } from "../other-parts.ts";
import { hearsCallers, hearsItself } from "./model-kinds.ts";
import { azureSpeech, toSessionUpdate, toVoice } from "./session-update.ts";

/**
 * The documentation names only OpenAI's models for `gpt-realtime`, but Microsoft's live tests also transcribe it with `azure-speech`. That
 * model knows the most languages, so it comes first; the documented ones follow if a service rejects it.
 */
const forModelsThatHear = [azureSpeech, "gpt-4o-transcribe", "mai-transcribe", "whisper-1"];
const forOthers = [azureSpeech, "mai-transcribe"];

/** The service's default if it is sent none, since version 2026-04-10 (API reference, "Turn Detection"). */
const ownPadding = (type: unknown): number => (type === "server_vad" ? 400 : 420);

const parts: RealtimeDialect["parts"] = {
  voice: "voice",
  transcription: "input_audio_transcription",
  turnDetection: "turn_detection",
};

/** What a request may contain and a service may reject: instructions of its own, a choice of tools, fixed text to speak. */
type OptionalPart = "additional" | "choice" | "say";

/** `transcriptionModel`: CLOUD_VOICELIVE_TRANSCRIPTION_MODEL. */
export function createVoiceLiveDialect(
  model: string,
  transcriptionModel: string | undefined,
  serves: RealtimeDialect["serves"],
): RealtimeDialect {
  const transcribers = transcriptionModels(transcriptionModel, hearsCallers(model) ? forModelsThatHear : forOthers);
  const names = { betaName: (name: string) => name };
  const refusedRequests = new Set<OptionalPart>();
  const otherwise = (refused: OptionalPart, response: WireObject): OtherRequest => ({
    create: { response },
    learn: () => void refusedRequests.add(refused),
  });
  return {
    parse: (text) => parseServerEvent(text, names),
    toSession: (settings) => toSessionUpdate(settings, { model, transcriptionModel: transcribers[0] ?? azureSpeech }),
    learnt: new LearntSettings({
      essential: [
        "modalities",
        "instructions",
        "input_audio_format",
        "input_audio_sampling_rate",
        "output_audio_format",
        "tools",
      ],
      instead: otherPart(parts, transcribers),
    }),
    parts,
    turnTimes: (requested, inForce) => readPadding({ ...requested, ...inForce }, ownPadding),
    serves,
    hearsItself: (settings) => hearsItself(model, toVoice(settings.voice, model)),
    toResponse({ instructions, say, toolChoice }, settings) {
      const spoken = { type: "message", role: "assistant", content: [{ type: "text", text: say }] };
      if (say !== undefined)
        return refusedRequests.has("say")
          ? { response: { instructions: readOut(say) } }
          : { response: { pre_generated_assistant_message: spoken } };
      const response = toolChoice === undefined || refusedRequests.has("choice") ? {} : { tool_choice: toolChoice };
      if (instructions === undefined) return Object.keys(response).length === 0 ? {} : { response };
      return refusedRequests.has("additional")
        ? { response: { ...response, instructions: `${settings.instructions}\n\n${instructions}` } }
        : { additional_instructions: instructions, ...(Object.keys(response).length > 0 && { response }) };
    },
    respondOtherwise({ additional_instructions: additional, response }, settings) {
      if (typeof additional === "string") {
        return otherwise("additional", {
          ...(isPlainObject(response) && response),
          instructions: `${settings.instructions}\n\n${additional}`,
        });
      }
      if (isPlainObject(response) && response["tool_choice"] !== undefined)
        return otherwise("choice", { ...response, tool_choice: undefined });
      const text = fixedTextOf(response);
      return text === undefined ? undefined : otherwise("say", { instructions: readOut(text) });
    },
    assistantContent: "text",
  };
}

/** The text that a request asks to be spoken unchanged. */
function fixedTextOf(response: unknown): string | undefined {
  const message = isPlainObject(response) ? response["pre_generated_assistant_message"] : undefined;
  const content: unknown = isPlainObject(message) ? message["content"] : undefined;
  const part: unknown = Array.isArray(content) ? content[0] : undefined;
  const text = isPlainObject(part) ? part["text"] : undefined;
  return typeof text === "string" ? text : undefined;
}
