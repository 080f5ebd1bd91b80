/** One accepted connection to OpenAI's Realtime API: sends the conversation's events under the API's own names. */
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
    super.sendEvent(type.replace(renamed, "response.output_$1."), fields);
  }
}
