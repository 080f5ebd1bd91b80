/**
 * What the models of Voice Live do by themselves, and what the service does for them (Microsoft, "Voice Live API overview", supported
 * models). The name is the only thing that the service reveals about a model.
 */
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";

/** These models receive the caller's audio; for all others the service transcribes it. */
export function hearsCallers(model: string): boolean {
  return /realtime|phi-?4-?mm/i.test(model);
}

/** A model's own voice: the model itself speaks. */
export function isOfModel({ type }: WireObject): boolean {
  return type === "openai" || type === "azure-realtime-native";
}

/**
 * These models speak, and continue from the audio of what they have said. With one of Azure's voices they write text, which the service has
 * synthesised, as for all other models.
 */
export function hearsItself(model: string, voice: WireObject): boolean {
  return hearsCallers(model) && isOfModel(voice);
}

/** `azure-realtime` has voices of its own, whose type is `azure-realtime-native`. */
export function hasNativeVoices(model: string): boolean {
  return /^azure-realtime\b/i.test(model);
}
