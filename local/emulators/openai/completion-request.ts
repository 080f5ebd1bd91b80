/**
 * Parses chat completion requests (`openai` 7.59, resources/chat/completions/completions.d.ts, `ChatCompletionCreateParamsBase`) and refuses
 * invalid ones with the service's own messages.
 */
import { z } from "zod";

const toolCallSchema = z.object({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
});

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.string() }),
  z.object({
    role: z.literal("assistant"),
    content: z.string().nullish(),
    tool_calls: z.array(toolCallSchema).optional(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: z.string() }),
]);

export const completionRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        function: z.object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.enum(["auto", "none", "required"]).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
  verbosity: z.enum(["low", "medium", "high"]).optional(),
  prompt_cache_key: z.string().optional(),
  seed: z.int().optional(),
  response_format: z
    .object({
      type: z.enum(["text", "json_object", "json_schema"]),
      json_schema: z
        .object({
          name: z.string().regex(/^[\w-]{1,64}$/),
          strict: z.boolean().optional(),
          schema: z.record(z.string(), z.unknown()).optional(),
        })
        .optional(),
    })
    .optional(),
});

export type CompletionRequest = z.infer<typeof completionRequestSchema>;

/** Since GPT-5.4, models accept tools in a chat completion only with reasoning turned off, and it is on by default. */
export function refusesTools({ model, tools, reasoning_effort: effort }: CompletionRequest): boolean {
  return /^gpt-(5\.[4-9]|[6-9])/.test(model) && tools !== undefined && effort !== "none";
}

/**
 * The service's rule: each assistant message with tool calls is followed directly by one tool message per call, and
 * there are no other tool messages.
 */
export function complaintAbout({ messages, response_format: format }: CompletionRequest): string | undefined {
  const { schema, strict } = format?.json_schema ?? {};
  if (strict === true && schema?.["additionalProperties"] !== false)
    return "Invalid schema for response_format: 'additionalProperties' is required to be supplied and to be false.";
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) {
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      }
      continue;
    }
    if (open.size > 0) return `tool_call_ids did not have response messages: ${[...open].join(", ")}`;
    open = new Set(message.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.id) : []);
  }
  return open.size > 0 ? `tool_call_ids did not have response messages: ${[...open].join(", ")}` : undefined;
}
