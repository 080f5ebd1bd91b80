/** Converts an error of a user's own provider into one of the service's. */
import { errorCodes, VoiceError, explainedError } from "@voice/shared/platform/errors";
import { z } from "zod";

/** In the packaged service, the provider has a `VoiceError` class of its own, so it is recognised by its form. */
const voiceError = z.looseObject({
  name: z.literal("VoiceError"),
  code: z.enum(errorCodes),
  message: z.string(),
  retryable: z.boolean(),
  retryAfterMs: z.number().optional(),
  reason: z.string().optional(),
});

export function ownFailure(name: string, error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  const read = voiceError.safeParse(error);
  if (!read.success) return explainedError("upstream_unavailable", `the provider ${name} failed`, { cause: error });
  const { code, message, retryable, retryAfterMs, reason } = read.data;
  return new VoiceError(code, message, { retryable, retryAfterMs, reason, cause: error });
}
