/**
 * Voice Live's dialect of the realtime protocol: the names of its beta, Azure's voices and filters, and fixed words to
 * speak.
 */
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import { parseServerEvent } from "@voice/provider-kit/realtime-protocol/server-events";
import { ModelAbilities, isOptionalPart, partRefusedIn } from "./model-abilities.ts";
import { toSessionUpdate } from "./session-update.ts";

export function createVoiceLiveDialect(model: string): RealtimeDialect {
  const abilities = new ModelAbilities(model);
  const names = { betaName: (name: string) => name, partRefusedIn };
  return {
    parse: (text) => parseServerEvent(text, names),
    toSession: (settings) => toSessionUpdate(settings, abilities),
    leaveOut(part, settings) {
      if (isOptionalPart(part)) abilities.leaveOut(part, settings);
    },
    toResponse({ instructions, say, toolChoice }) {
      const spoken = { type: "message", role: "assistant", content: [{ type: "text", text: say }] };
      return {
        ...(instructions !== undefined && { additional_instructions: instructions }),
        ...(say !== undefined && { response: { pre_generated_assistant_message: spoken } }),
        ...(toolChoice !== undefined && { response: { tool_choice: toolChoice } }),
      };
    },
    assistantContent: "text",
  };
}
