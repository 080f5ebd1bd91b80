/**
 * One chunk of a response, streamed or whole, read leniently: for every field there are servers that use another type than the vendor's
 * client declares.
 */
import { z } from "zod";

const text = z.string().nullish().catch(undefined);

const call = z.object({
  index: z
    .union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
    .optional()
    .catch(undefined),
  id: text,
  name: text,
  arguments: z.unknown().optional(),
  function: z.object({ name: text, arguments: z.unknown().optional() }).nullish().catch(undefined),
});

const said = z.object({
  content: z.unknown().optional(),
  refusal: text,
  /** TGI sends a single call without the list, others a list as an object ("0", "1"). */
  tool_calls: z
    .union([
      z.array(call),
      z.record(z.string().regex(/^\d+$/), call).transform((byIndex) => Object.values(byIndex)),
      call.transform((one) => [one]),
    ])
    .nullish()
    .catch(undefined),
  /** The call as servers send it that only know the format from before tools. */
  function_call: call.nullish().catch(undefined),
});

const count = z.number().nullish().catch(undefined);

const chunk = z.object({
  model: text,
  choices: z
    .array(
      z.object({
        index: z.unknown().optional(),
        delta: said.nullish().catch(undefined),
        /** A whole response to a request for a stream. */
        message: said.nullish().catch(undefined),
        /** The text as servers send it that respond as to a text completion. */
        text,
        finish_reason: text,
      }),
    )
    .nullish()
    .catch(undefined),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(undefined),
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export type CompletionChunk = z.infer<typeof chunk>;
export type SaidPiece = Partial<z.infer<typeof said>>;
export type CallPiece = z.infer<typeof call>;

export function readChunk(value: unknown): CompletionChunk {
  return chunk.safeParse(value).data ?? {};
}

/**
 * The text in a content: a string, one part, or a list of parts. Parts that are thoughts have a type that says so ("thinking", "reasoning")
 * or no text of their own.
 */
export function wordsIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(wordsIn).join("");
  const part = partSchema.safeParse(content).data;
  if (part === undefined || /think|reason/i.test(part.type ?? "")) return "";
  return wordsIn(part.text ?? part.refusal ?? part.value);
}

const partSchema = z.object({
  type: text,
  text: z.unknown().optional(),
  refusal: z.unknown().optional(),
  value: z.unknown().optional(),
});
