/** One accepted connection to OpenAI's Realtime API: sends the conversation's events under the API's own names. */
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
    if (type === "session.updated") {
      super.sendEvent(type, { session: laterShape(fields["session"]) });
      return;
    }
    super.sendEvent(type.replace(renamed, "response.output_$1."), fields);
  }
}

const flatSession = z.object({ turn_detection: z.looseObject({ type: z.string() }).nullish() });

/** In the current protocol turn detection belongs to the session's input. Detection by meaning has no length of silence. */
function laterShape(session: unknown): object {
  const detection = flatSession.safeParse(session).data?.turn_detection;
  const shown =
    detection == null || detection.type === "server_vad" ? detection : { type: "semantic_vad", eagerness: "auto" };
  return { type: "realtime", audio: { input: { turn_detection: shown } } };
}
