/** Validates the events of a user's own language model. A mistake in them would otherwise only be noticed far from its cause. */
import type { ModelEvent } from "@voice/provider-kit/ports/language-model";
import { explainedError } from "@voice/shared/platform/errors";
import { z } from "zod";

const tokens = z.number().int().min(0);

const usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedTokens: tokens.optional(),
  audioInputTokens: tokens.optional(),
  cachedAudioTokens: tokens.optional(),
  audioOutputTokens: tokens.optional(),
  reasoningTokens: tokens.optional(),
  model: z.string().optional(),
});

const modelEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({
    type: z.literal("tool-call"),
    call: z.object({ id: z.string(), name: z.string(), argumentsJson: z.string() }),
  }),
  z.object({
    type: z.literal("finished"),
    reason: z.enum(["stop", "tool-calls", "length", "content-filter"]),
    // Token counts that cannot be read are estimated, as for servers that do not count.
    usage: usage.optional().catch(undefined),
    awaits: z.custom<NonNullable<Extract<ModelEvent, { type: "finished" }>["awaits"]>>().optional(),
  }),
]);

/** Throws a `VoiceError` that names what is wrong and quotes nothing. */
export function readModelEvent(provider: string, event: unknown): ModelEvent {
  const read = modelEvent.safeParse(event);
  if (read.success) {
    if (read.data.type !== "finished") return read.data;
    const { usage: counted, ...finished } = read.data;
    return counted === undefined ? finished : { ...finished, usage: counted };
  }
  const at = read.error.issues[0]?.path.join(".") ?? "";
  const what =
    at === "" ? "something that is no event of a language model" : `an event whose ${at} is not what the port says`;
  throw explainedError("upstream_unavailable", `the provider ${provider} gave ${what}`);
}
