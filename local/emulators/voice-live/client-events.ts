/**
 * The client events of the Voice Live service, validated as strictly as Microsoft documents them: "Voice Live API reference 2026-07-15"
 * (fields, enumerations, ranges) and `@azure/ai-voicelive` 1.1, models.d.ts.
 */
import { z } from "zod";

const textPart = z.object({ type: z.enum(["input_text", "text"]), text: z.string() });

const message = z.object({
  id: z.string().optional(),
  type: z.literal("message"),
  role: z.enum(["system", "user", "assistant"]),
  content: z.array(textPart),
});

const toolCall = z.object({
  id: z.string().optional(),
  type: z.literal("function_call"),
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
});

const toolResult = z.object({
  id: z.string().optional(),
  type: z.literal("function_call_output"),
  call_id: z.string().min(1),
  output: z.string(),
});

const serverDetection = {
  threshold: z.number().min(0.01).lt(1).optional(),
  prefix_padding_ms: z.int().nonnegative().optional(),
  silence_duration_ms: z.int().nonnegative().optional(),
  speech_duration_ms: z.int().nonnegative().optional(),
  create_response: z.boolean().optional(),
  interrupt_response: z.boolean().optional(),
  auto_truncate: z.boolean().optional(),
};
const semanticDetection = {
  ...serverDetection,
  languages: z.array(z.string()).optional(),
  remove_filler_words: z.boolean().optional(),
};
const turnDetection = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("server_vad"), ...serverDetection }),
  z.strictObject({
    type: z.enum(["azure_semantic_vad", "azure_semantic_vad_en", "azure_semantic_vad_multilingual"]),
    ...semanticDetection,
  }),
]);
const prosody = { rate: z.string().optional(), pitch: z.string().optional(), volume: z.string().optional() };
/** `KnownOAIVoice`; other names stand for voices of OpenAI customers, which begin with `voice_`. */
const openAiVoice = z.string().regex(/^(alloy|ash|ballad|coral|echo|sage|shimmer|verse|marin|cedar|voice_\w+)$/);
/** `KnownAzureRealtimeNativeVoiceName` */
const nativeVoice = z.string().regex(/^[a-z]+$/);

export const sessionSchema = z.strictObject({
  modalities: z.array(z.enum(["text", "audio"])).optional(),
  instructions: z.string().optional(),
  voice: z
    .union([
      // The rate: OpenAI has a speed of its own for it, which the emulation of its API passes on so.
      z.strictObject({ type: z.literal("openai"), name: openAiVoice, rate: z.string().optional() }),
      z.strictObject({ type: z.literal("azure-realtime-native"), name: nativeVoice }),
      z.strictObject({
        type: z.literal("azure-custom"),
        name: z.string().min(1),
        endpoint_id: z.string().min(1),
        style: z.string().optional(),
        ...prosody,
      }),
      z.strictObject({
        type: z.literal("azure-personal"),
        name: z.string().min(1),
        model: z.string().min(1),
        ...prosody,
      }),
      z.strictObject({
        type: z.literal("azure-standard"),
        name: z.string().min(1),
        style: z.string().optional(),
        ...prosody,
      }),
    ])
    .optional(),
  input_audio_format: z.literal("pcm16").optional(),
  input_audio_sampling_rate: z.union([z.literal(8_000), z.literal(16_000), z.literal(24_000)]).optional(),
  output_audio_format: z.enum(["pcm16", "pcm16_8000hz", "pcm16_16000hz"]).optional(),
  output_audio_timestamp_types: z.array(z.literal("word")).optional(),
  input_audio_transcription: z
    .strictObject({
      model: z.string(),
      language: z.string().optional(),
      phrase_list: z.array(z.string()).optional(),
      prompt: z.string().optional(),
    })
    .nullish(),
  turn_detection: turnDetection.nullish(),
  input_audio_noise_reduction: z
    .strictObject({ type: z.enum(["azure_deep_noise_suppression", "near_field", "far_field"]) })
    .nullish(),
  input_audio_echo_cancellation: z.object({ type: z.literal("server_echo_cancellation") }).nullish(),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        name: z.string().min(1),
        description: z.string().optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
  tool_choice: z.string().optional(),
  temperature: z.number().optional(),
  max_response_output_tokens: z.union([z.int().min(1).max(4096), z.literal("inf")]).optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
  parallel_tool_calls: z.boolean().optional(),
});

export type SessionFields = z.infer<typeof sessionSchema>;

export const clientEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session.update"), event_id: z.string().optional(), session: sessionSchema }),
  z.object({ type: z.literal("input_audio_buffer.append"), audio: z.base64() }),
  z.object({ type: z.literal("input_audio_buffer.commit") }),
  z.object({ type: z.literal("input_audio_buffer.clear") }),
  z.object({
    type: z.literal("conversation.item.create"),
    event_id: z.string().optional(),
    previous_item_id: z.string().optional(),
    item: z.discriminatedUnion("type", [message, toolCall, toolResult]),
  }),
  z.object({
    type: z.literal("conversation.item.truncate"),
    event_id: z.string().optional(),
    item_id: z.string(),
    content_index: z.int(),
    audio_end_ms: z.int().nonnegative(),
  }),
  z.object({ type: z.literal("conversation.item.delete"), event_id: z.string().optional(), item_id: z.string() }),
  z.object({
    type: z.literal("response.create"),
    event_id: z.string().optional(),
    additional_instructions: z.string().optional(),
    response: z
      .object({
        instructions: z.string().optional(),
        pre_generated_assistant_message: message.optional(),
        tool_choice: z.enum(["auto", "none", "required"]).optional(),
      })
      .optional(),
  }),
  z.object({ type: z.literal("response.cancel"), response_id: z.string().optional() }),
]);

export type ClientEvent = z.infer<typeof clientEventSchema>;

/**
 * What an `error` says of an event that is not as it should be: `invalid_value` with the path of the field in `param`, as OpenAI's service has it
 * (livekit/agents, issue 1717), and `unknown_parameter` for a field that it does not know.
 */
export function refusalOf(raw: unknown, error: z.ZodError) {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const param = [...(issue?.path ?? []), ...unknown].join(".");
  const eventId = z.object({ event_id: z.string() }).safeParse(raw).data?.event_id;
  const code = unknown.length > 0 ? "unknown_parameter" : "invalid_value";
  return { type: "invalid_request_error", code, param, message: issue?.message, event_id: eventId };
}
