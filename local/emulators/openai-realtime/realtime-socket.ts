/**
 * One accepted connection to OpenAI's Realtime API: sends the conversation's events under the API's own names and in its own form
 * (`openai` 7.59, resources/realtime/realtime.d.ts, `RealtimeServerEvent`).
 */
import { z } from "zod";
import { LiveSocket } from "../voice-live/live-socket.ts";

const renamed = /^response\.(audio|audio_transcript|text)\./;

export class RealtimeSocket extends LiveSocket {
  override sendEvent(type: string, fields: Readonly<Record<string, unknown>> = {}): void {
    // This API sends no word timings.
    if (type.startsWith("response.audio_timestamp.")) return;
    if (type === "conversation.item.created") {
      super.sendEvent("conversation.item.added", fields);
      super.sendEvent("conversation.item.done", fields);
      return;
    }
    if (type === "session.created" || type === "session.updated") {
      super.sendEvent(type, { session: laterShape(fields["session"]) });
      return;
    }
    if (type === "response.output_item.done" || type === "response.done") {
      super.sendEvent(type, withOutputAudio.parse(fields));
      return;
    }
    if (type.endsWith("input_audio_transcription.completed")) {
      // Of what the emulated recogniser used nothing is known, so it is the least there can be.
      super.sendEvent(type, {
        ...fields,
        usage: { type: "tokens", total_tokens: 2, input_tokens: 1, output_tokens: 1 },
      });
      return;
    }
    super.sendEvent(type.replace(renamed, "response.output_$1."), fields);
  }
}

/** What an assistant's item calls "audio" is "output_audio" here (`RealtimeConversationItemAssistantMessage.Content`). */
const part = z
  .looseObject({ type: z.string() })
  .transform((value) => (value.type === "audio" ? { ...value, type: "output_audio" } : value));
const item = z.looseObject({ content: z.array(part).optional() });
const withOutputAudio = z.looseObject({
  item: item.optional(),
  response: z.looseObject({ output: z.array(item) }).optional(),
});

const flatSession = z.object({
  id: z.string(),
  object: z.string(),
  model: z.string(),
  instructions: z.string().default(""),
  turn_detection: z.looseObject({ type: z.string() }).nullish(),
});

/** In the current protocol turn detection belongs to the session's input. Detection by meaning has no length of silence. */
function laterShape(session: unknown): object {
  const { id, object, model, instructions, turn_detection: detection } = flatSession.parse(session);
  const shown =
    detection == null || detection.type === "server_vad" ? detection : { type: "semantic_vad", eagerness: "auto" };
  const same = { id, object, model, instructions, output_modalities: ["audio"] };
  return { type: "realtime", ...same, audio: { input: { turn_detection: shown } } };
}
