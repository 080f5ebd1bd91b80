/** Error bodies: a problem for everything, except HTTPValidationError for what fails a schema (422). */
import { z } from "zod";

/** The values of `type` with their statuses: a closed list that clients may switch on. */
export const problemStatuses = {
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  rate_limited: 429,
  internal_error: 500,
  upstream_unavailable: 502,
  upstream_timeout: 504,
  dependency_not_ready: 503,
  call_not_found: 404,
  pstn_number_invalid: 400,
  media_streaming_failed: 502,
  audio_format_unsupported: 400,
  speech_quota_exceeded: 429,
  speech_region_unavailable: 502,
  cache_connection_failed: 503,
  /** An id that existed and whose data is gone; an id that never existed is `not_found`. */
  session_expired: 404,
} as const;

export type ProblemType = keyof typeof problemStatuses;

export const problemTypes = Object.keys(problemStatuses);

export const problem = z
  .object({
    detail: z.string(),
    status_code: z.int(),
    timestamp: z.iso.datetime(),
    type: z.enum(problemTypes),
    instance: z.string().describe("The path of the request."),
    errors: z.array(z.object({ field: z.string(), message: z.string(), code: z.string() })),
  })
  .meta({ id: "Problem", description: "What went wrong, in words for the caller." });

export type Problem = z.infer<typeof problem>;

const validationError = z
  .object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })
  .meta({ id: "ValidationError" });

export const httpValidationError = z
  .object({ detail: z.array(validationError) })
  .meta({ id: "HTTPValidationError", description: "The request does not fit the schema." });

export type ValidationError = z.infer<typeof validationError>;
export type HttpValidationError = z.infer<typeof httpValidationError>;
