/**
 * What the models of Voice Live do by themselves, and what the service does for them (Microsoft, "Voice Live API overview", supported
 * models). A name is the only thing that the service gives away of a model.
 */
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";

/** They hear the caller's audio; for all others the service transcribes. */
export function hearsCallers(model: string): boolean {
  return /realtime|phi-?4-?mm/i.test(model);
}

/** A model's own voice: it is the model that speaks. */
export function isOfModel({ type }: WireObject): boolean {
  return type === "openai" || type === "azure-realtime-native";
}

/**
 * They speak, and go on from the audio of what they have said. With a voice of Azure's they write text, which the service has read out, as
 * all other models do.
 */
export function hearsItself(model: string, voice: WireObject): boolean {
  return hearsCallers(model) && isOfModel(voice);
}

/** `azure-realtime` has voices of its own, whose type is `azure-realtime-native`. */
export function hasNativeVoices(model: string): boolean {
  return /^azure-realtime\b/i.test(model);
}
