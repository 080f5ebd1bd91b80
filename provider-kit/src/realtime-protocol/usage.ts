/** What a realtime service charges for: text and audio tokens of a response, tokens or seconds of a transcription. */
import { z } from "zod";
import type { ModelUsage } from "../ports/language-model.ts";
import type { RealtimeUsage } from "../ports/realtime-model.ts";

const count = z.number().nullish().catch(undefined);

export const responseUsage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_token_details: z
    .object({
      audio_tokens: count,
      cached_tokens: count,
      cached_tokens_details: z.object({ audio_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  output_token_details: z.object({ audio_tokens: count }).nullish().catch(undefined),
});

export const transcriptionUsage = z.union([
  z.object({
    type: z.literal("tokens"),
    input_tokens: z.number(),
    output_tokens: z.number(),
    input_token_details: z.object({ audio_tokens: count }).nullish().catch(undefined),
  }),
  z.object({ type: z.literal("duration"), seconds: z.number() }),
]);

export function toUsage({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  input_token_details: input,
  output_token_details: output,
}: z.infer<typeof responseUsage>): ModelUsage {
  const details = {
    cachedTokens: input?.cached_tokens,
    audioInputTokens: input?.audio_tokens,
    cachedAudioTokens: input?.cached_tokens_details?.audio_tokens,
    audioOutputTokens: output?.audio_tokens,
  };
  const given = Object.entries(details).filter(([, tokens]) => tokens != null);
  return { inputTokens, outputTokens, ...Object.fromEntries(given) };
}

export function toTranscriptionUsage(usage: z.infer<typeof transcriptionUsage>): RealtimeUsage {
  if (usage.type === "duration") return { audioSeconds: usage.seconds };
  return toUsage(usage);
}
