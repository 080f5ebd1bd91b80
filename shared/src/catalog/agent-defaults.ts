/** What the settings give every agent that says nothing else. `_defaults.yaml` is laid over it, and `agent.yaml` over that. */
import type { Settings } from "../config/settings.ts";
import type { PlainObject } from "./deep-merge.ts";

type DefaultSettings = Pick<Settings, "ttsVoice" | "ttsStyle" | "ttsRate" | "openaiDeployment" | "voiceLiveModel">;

/** For tools that read the catalog without a service around it; the same as the settings' own defaults. */
export const unsetDefaults: DefaultSettings = {
  ttsVoice: "en-US-AvaMultilingualNeural",
  ttsStyle: "chat",
  ttsRate: "+3%",
  openaiDeployment: undefined,
  voiceLiveModel: undefined,
};

export function agentDefaults(settings: DefaultSettings): PlainObject {
  const { ttsVoice, ttsStyle, ttsRate, openaiDeployment = "gpt-4o", voiceLiveModel = "gpt-realtime" } = settings;
  return {
    model: { cascade: { deployment_id: openaiDeployment }, realtime: { deployment_id: voiceLiveModel } },
    voice: { name: ttsVoice, style: ttsStyle, rate: ttsRate },
  };
}
