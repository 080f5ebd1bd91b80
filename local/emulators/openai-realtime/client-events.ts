/**
 * The client events of OpenAI's Realtime API, validated as strictly as OpenAI documents them (`openai` 7.59, resources/realtime/realtime.d.ts),
 * and what each means to the conversation.
 */
import { z } from "zod";
import { clientEventSchema } from "../voice-live/client-events.ts";
import type { ClientEvent, SessionFields } from "../voice-live/client-events.ts";

const voices = ["alloy", "ash", "ballad", "coral", "echo", "sage", "shimmer", "verse", "marin", "cedar"] as const;
const format = z.strictObject({ type: z.literal("audio/pcm"), rate: z.literal(24_000) });
const tool = z.strictObject({
  type: z.literal("function"),
  name: z.string().min(1),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});

const answers = { create_response: z.boolean(), interrupt_response: z.boolean() };
const turnDetection = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("semantic_vad"), eagerness: z.enum(["low", "medium", "high", "auto"]), ...answers }),
  z.strictObject({
    type: z.literal("server_vad"),
    prefix_padding_ms: z.int().nonnegative().optional(),
    silence_duration_ms: z.int().nonnegative(),
    threshold: z.number().min(0).max(1).optional(),
    ...answers,
  }),
]);

export const sessionSchema = z.strictObject({
  type: z.literal("realtime"),
  model: z.string(),
  output_modalities: z.array(z.enum(["text", "audio"])).length(1),
  instructions: z.string(),
  audio: z.strictObject({
    input: z.strictObject({
      format,
      turn_detection: turnDetection.nullable(),
      noise_reduction: z.strictObject({ type: z.enum(["near_field", "far_field"]) }).nullish(),
      transcription: z
        .strictObject({
          model: z.string(),
          language: z.string().length(2).optional(),
          languages: z.array(z.string().length(2)).optional(),
          keywords: z.array(z.string()).optional(),
        })
        .nullish(),
    }),
    output: z.strictObject({
      format,
      voice: z.union([z.enum(voices), z.strictObject({ id: z.string() })]).optional(),
      speed: z.number().min(0.25).max(1.5).optional(),
    }),
  }),
  tools: z.array(tool),
  tool_choice: z.enum(["auto", "none", "required"]),
  max_output_tokens: z.union([z.int().min(1).max(4096), z.literal("inf")]).optional(),
  reasoning: z.strictObject({ effort: z.enum(["minimal", "low", "medium", "high", "xhigh"]) }).optional(),
  parallel_tool_calls: z.boolean().optional(),
});

export type RealtimeSessionFields = z.infer<typeof sessionSchema>;

const content = (type: string) => z.array(z.strictObject({ type: z.literal(type), text: z.string() }));
const message = z.discriminatedUnion("role", [
  z.strictObject({
    id: z.string().max(32).optional(),
    type: z.literal("message"),
    role: z.literal("user"),
    content: content("input_text"),
  }),
  z.strictObject({ type: z.literal("message"), role: z.literal("assistant"), content: content("output_text") }),
]);

const itemEvent = z.strictObject({
  type: z.literal("conversation.item.create"),
  event_id: z.string().optional(),
  previous_item_id: z.string().optional(),
  item: z.looseObject({ type: z.string() }),
});
const updateEvent = z.strictObject({
  type: z.literal("session.update"),
  event_id: z.string().optional(),
  session: sessionSchema,
});
const responseEvent = z.strictObject({
  type: z.literal("response.create"),
  event_id: z.string().optional(),
  response: z
    .strictObject({
      conversation: z.literal("none").optional(),
      input: z.array(z.never()).optional(),
      instructions: z.string().optional(),
      tools: z.array(tool).optional(),
      tool_choice: z.enum(["auto", "none", "required"]).optional(),
    })
    .optional(),
});

/** Text that the instructions tell the model to read out, which the emulated model does word for word. */
const toReadOut = /quotation marks[\s\S]*?\n"([\s\S]*)"$/;

/** Translates the event for the emulated conversation, or says what is wrong with it if it is refused. */
export function readClientEvent(raw: unknown): ClientEvent | string {
  const update = updateEvent.safeParse(raw);
  if (update.success) {
    const { event_id, session } = update.data;
    return { type: "session.update", event_id, session: toSessionFields(session) };
  }
  if (isOf(raw, "session.update")) return pathOf(update.error);
  const response = responseEvent.safeParse(raw);
  if (response.success) return toResponse(response.data.response);
  if (isOf(raw, "response.create")) return pathOf(response.error);
  const item = itemEvent.safeParse(raw);
  if (item.success && item.data.item.type === "message") {
    const parsed = message.safeParse(item.data.item);
    if (!parsed.success) return pathOf(parsed.error);
    const spoken = parsed.data.content.map(({ text }) => ({ type: "text" as const, text }));
    const { previous_item_id } = item.data;
    return { type: "conversation.item.create", previous_item_id, item: { ...parsed.data, content: spoken } };
  }
  const event = clientEventSchema.safeParse(raw);
  return event.success ? event.data : pathOf(event.error);
}

function toSessionFields({ instructions, audio, tools }: RealtimeSessionFields): SessionFields {
  const { turn_detection: detection, transcription } = audio.input;
  const { voice, speed } = audio.output;
  return {
    instructions,
    tools,
    ...(voice !== undefined && {
      voice: { type: "openai" as const, name: typeof voice === "string" ? voice : voice.id, ...rateOf(speed) },
    }),
    input_audio_transcription:
      transcription == null
        ? null
        : { model: transcription.model, language: transcription.languages?.[0] ?? transcription.language ?? "en" },
    turn_detection:
      detection === null
        ? null
        : detection.type === "server_vad"
          ? detection
          : {
              type: "azure_semantic_vad" as const,
              create_response: detection.create_response,
              interrupt_response: detection.interrupt_response,
            },
  };
}

/** 1.4 is `+40%`. */
function rateOf(speed: number | undefined): { rate?: string } {
  return speed === undefined ? {} : { rate: `${speed < 1 ? "" : "+"}${Math.round((speed - 1) * 100)}%` };
}

function toResponse(response: z.infer<typeof responseEvent>["response"]): ClientEvent {
  const words = toReadOut.exec(response?.instructions ?? "")?.[1];
  if (words === undefined)
    return {
      type: "response.create",
      ...(response && { response: { instructions: response.instructions, tool_choice: response.tool_choice } }),
    };
  const spoken = {
    type: "message" as const,
    role: "assistant" as const,
    content: [{ type: "text" as const, text: words }],
  };
  return { type: "response.create", response: { pre_generated_assistant_message: spoken } };
}

function isOf(raw: unknown, type: string): boolean {
  return typeof raw === "object" && raw !== null && "type" in raw && raw.type === type;
}

function pathOf(error: z.ZodError): string {
  return error.issues[0]?.path.join(".") ?? "event";
}
