/**
 * The defaults that settings define for all agents. `_defaults.yaml` overrides them, and `agent.yaml` overrides both.
 */
import type { Parts } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { PlainObject } from "../platform/plain-object.ts";

type DefaultVoice = Pick<Settings, "ttsVoice" | "ttsStyle" | "ttsRate">;
type DefaultModels = Pick<Parts, "languageModel" | "realtimeModel">;

/** For command-line tools that read the catalog without settings; the same as the settings' defaults. */
export const unsetVoice: DefaultVoice = {
  ttsVoice: "en-US-AvaMultilingualNeural",
  ttsStyle: "chat",
  ttsRate: "+3%",
};
export const unsetModels: DefaultModels = { languageModel: { kind: "local" }, realtimeModel: { kind: "none" } };

export function agentDefaults(
  { ttsVoice, ttsStyle, ttsRate }: DefaultVoice,
  { languageModel, realtimeModel }: DefaultModels,
): PlainObject {
  const deployment = languageModel.kind === "openai" ? languageModel.deployment : undefined;
  const realtime = "model" in realtimeModel ? realtimeModel.model : undefined;
  return {
    model: {
      cascade: { deployment_id: deployment ?? "gpt-4o" },
      realtime: { deployment_id: realtime ?? "gpt-realtime-2.1" },
    },
    voice: { name: ttsVoice, style: ttsStyle, rate: ttsRate },
  };
}
