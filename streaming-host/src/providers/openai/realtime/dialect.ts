/** The realtime protocol as OpenAI speaks it since it is generally available. */
import type { RealtimeDialect, ResponseWish, WireObject } from "@voice/provider-kit/realtime-protocol/dialect";
import { parseServerEvent } from "@voice/provider-kit/realtime-protocol/server-events";
import type { EventNames } from "@voice/provider-kit/realtime-protocol/server-events";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { optionalParts, toSession } from "./session-config.ts";
import type { OptionalPart } from "./session-config.ts";

/** `response.output_audio.delta` was `response.audio.delta`. What an item's `added` says is said by other events as well. */
const names: EventNames = {
  betaName: (name) =>
    laterNames.get(name) ?? name.replace(/^response\.output_(audio|audio_transcript|text)\./, "response.$1."),
  partRefusedIn: (param, message) => optionalParts.find((part) => (param ?? message)?.includes(part)),
};

/** Progress that we learn from other events. */
const laterNames: ReadonlyMap<string, string> = new Map(
  [
    "conversation.created",
    "conversation.item.added",
    "conversation.item.done",
    "conversation.item.input_audio_transcription.segment",
    "input_audio_buffer.timeout_triggered",
    "rate_limits.updated",
  ].map((name) => [name, "conversation.item.created"]),
);

export function createOpenAiDialect(model: string): RealtimeDialect {
  const refused = new Set<OptionalPart>();
  return {
    parse: (text) => parseServerEvent(text, names),
    toSession: (settings, isFirst) => toSession(settings, { model, isFirst, refused }),
    leaveOut(name) {
      const part = optionalParts.find((optional) => optional === name);
      if (part === undefined || refused.has(part)) return false;
      refused.add(part);
      return true;
    },
    toResponse,
    assistantContent: "output_text",
  };
}

/** Instructions of a response stand in place of the session's. */
function toResponse({ instructions, say }: ResponseWish, settings: RealtimeSettings): WireObject {
  if (say !== undefined) return { response: { instructions: readOut(say), tools: [], tool_choice: "none" } };
  if (instructions === undefined) return {};
  return { response: { instructions: `${settings.instructions}\n\n${instructions}` } };
}

/** There are no words that are given: the model is asked to read them out. */
function readOut(words: string): string {
  return `Read out exactly the words between the quotation marks, in their language, and add nothing:\n"${words}"`;
}
