/** What an agent that is not heard waits for. Pure. */
import type { VoiceError } from "@voice/shared/platform/errors";

export interface SilentPart {
  readonly part: "model" | "realtime-model" | "tool" | "voice";
  /** For operators. */
  readonly words: string;
}

/** A model chooses the tools, but only those that an agent has run for any time. */
const longestNames = 100;

export function silentTools(names: readonly string[]): SilentPart {
  const listed = names.join(", ").slice(0, longestNames);
  return { part: "tool", words: names.length === 1 ? `the tool ${listed}` : `the tools ${listed}` };
}

export const silentModel: SilentPart = { part: "model", words: "the language model" };
export const silentRealtimeModel: SilentPart = { part: "realtime-model", words: "the realtime model" };
export const silentVoice: SilentPart = { part: "voice", words: "the agent's voice" };

export function causeOfSilence({ part, words }: SilentPart): Pick<VoiceError, "code"> & { readonly reason: string } {
  const code = part === "realtime-model" ? "upstream_unavailable" : "upstream_timeout";
  return { code, reason: `nothing came from ${words} in time` };
}
