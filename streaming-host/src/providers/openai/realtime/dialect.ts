/** The dialect of OpenAI's generally available realtime protocol. */
import type { RealtimeDialect, WireObject } from "@voice/provider-kit/realtime-protocol/dialect";
import { parseServerEvent } from "@voice/provider-kit/realtime-protocol/server-events";
import type { EventNames } from "@voice/provider-kit/realtime-protocol/server-events";
import type { RealtimeSettings, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import { RefusedValues } from "../../refused-values.ts";
import { optionalParts, toSession, valueOf } from "./session-config.ts";
import type { OptionalPart, SessionContext } from "./session-config.ts";

/** `response.output_audio.delta` was `response.audio.delta`. Other events repeat what an item's `added` says. */
const names: EventNames = {
  betaName: (name) =>
    laterNames.get(name) ?? name.replace(/^response\.output_(audio|audio_transcript|text)\./, "response.$1."),
  partRefusedIn: (param, message) => optionalParts.find((part) => (param ?? message)?.includes(part)),
};

/** Progress events whose content other events also report. */
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

export function createOpenAiDialect({
  model,
  hearsMeaning,
}: Pick<SessionContext, "model" | "hearsMeaning">): RealtimeDialect {
  const refused = new RefusedValues<OptionalPart>();
  return {
    parse: (text) => parseServerEvent(text, names),
    toSession: (settings, isFirst) => toSession(settings, { model, hearsMeaning, isFirst, refused }),
    leaveOut(name, settings) {
      const part = optionalParts.find((optional) => optional === name);
      if (part !== undefined) refused.add(part, valueOf(part, settings));
    },
    toResponse,
    assistantContent: "output_text",
  };
}

/** For reading texts out: outside of the conversation, so that none of them stays in it and is paid for again. */
export function createReadingDialect(model: string): RealtimeDialect {
  return {
    ...createOpenAiDialect({ model, hearsMeaning: false }), // it hears nobody
    toResponse: ({ say = "" }) => ({
      response: { conversation: "none", input: [], instructions: readOut(say), tools: [], tool_choice: "none" },
    }),
  };
}

/** A response's instructions replace the session's. */
function toResponse({ instructions, say, toolChoice }: ResponseRequest, settings: RealtimeSettings): WireObject {
  if (say !== undefined) return { response: { instructions: readOut(say), tools: [], tool_choice: "none" } };
  const response = {
    ...(instructions !== undefined && { instructions: `${settings.instructions}\n\n${instructions}` }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
  };
  return Object.keys(response).length === 0 ? {} : { response };
}

/** The protocol cannot take fixed words to speak, so the model is asked to read them out. */
function readOut(words: string): string {
  return `Read out exactly the words between the quotation marks, in their language, and add nothing:\n"${words}"`;
}
