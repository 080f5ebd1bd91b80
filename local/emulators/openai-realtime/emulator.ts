/** OpenAI's Realtime API on loopback: a conversation of the emulated realtime service, in the API's own protocol. */
import { z } from "zod";
import type { SocketServer } from "../socket-server.ts";
import { LiveSocket } from "../voice-live/live-socket.ts";
import type { LiveFault, LivePhase } from "../voice-live/live-socket.ts";
import { startRealtimeServer } from "../voice-live/realtime-server.ts";
import type { RealtimeServiceOptions } from "../voice-live/realtime-server.ts";
import { readClientEvent } from "./client-events.ts";

export interface RealtimeEmulator {
  /** `http://127.0.0.1:port/v1` */
  readonly baseUrl: string;
  readonly connections: readonly RealtimeSocket[];
  /** The client events received, except audio, as the API defines them. */
  readonly received: readonly unknown[];
  fail(...faults: readonly (LiveFault | undefined)[]): void;
  /** Takes connections of another server, which offers this API at its own address. */
  readonly upgrade: SocketServer<LivePhase>["upgrade"];
  close(): Promise<void>;
}

export async function startRealtimeEmulator(options: RealtimeServiceOptions): Promise<RealtimeEmulator> {
  const received: unknown[] = [];
  const { server, connections } = await startRealtimeServer(options, {
    path: "/v1/realtime",
    parameters: ["model"],
    isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
    refuse: () => undefined,
    // "Defaults to 300ms" (`openai` 7.59, resources/realtime/realtime.d.ts, `prefix_padding_ms`).
    ownPadding: () => 300,
    createSocket: (socket, accepted) => new RealtimeSocket(socket, accepted),
    read(raw, live) {
      const event = readClientEvent(raw);
      if (typeof event === "string") {
        const eventId = z.object({ event_id: z.string() }).safeParse(raw).data?.event_id;
        const refused = { code: "invalid_value", param: event, message: "refused", event_id: eventId ?? null };
        live.sendEvent("error", { error: { type: "invalid_request_error", ...refused } });
        return undefined;
      }
      if (event.type !== "input_audio_buffer.append") received.push(raw);
      return event;
    },
  });
  return {
    baseUrl: `http://${server.host}/v1`,
    connections,
    received,
    fail: (...faults) => server.fail(faults),
    upgrade: server.upgrade,
    close: () => server.close(),
  };
}

const renamed = /^response\.(audio|audio_transcript|text)\./;

/**
 * One accepted connection to OpenAI's Realtime API: sends the conversation's events under the API's own names and in its own form
 * (`openai` 7.59, resources/realtime/realtime.d.ts, `RealtimeServerEvent`).
 */
class RealtimeSocket extends LiveSocket {
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
      // The usage of the emulated recogniser is not known, so the least possible is reported.
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
