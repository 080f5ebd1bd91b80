/** Translates Twilio's refusals into our errors. Its codes are explained at `https://www.twilio.com/docs/api/errors/` and the code. */
import { meaningOfError } from "@voice/shared/calls/twilio/codes";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { ErrorCode } from "@voice/shared/platform/errors";
import { z } from "zod";

/** The body of every refusal: its message may quote numbers, so it is not read. */
export const twilioProblem = z.object({ code: z.number().nullish() });

const accessHelp = "Twilio does not accept TWILIO_ACCOUNT_SID with TWILIO_AUTH_TOKEN";

/** "Call is not in-progress. Cannot redirect": it rings still, or is over. */
const notInProgress = 21_220;
/** "The requested resource … was not found". */
const noSuchResource = 20_404;

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  408: "upstream_timeout",
  429: "rate_limited",
  504: "upstream_timeout",
};

export function toTwilioError(
  what: string,
  status: number,
  problem: z.infer<typeof twilioProblem> | undefined,
): VoiceError {
  const code = problem?.code ?? undefined;
  if (status === 404 && code === noSuchResource)
    return new VoiceError("call_not_found", `${what}: Twilio knows no such call`);
  if (code === notInProgress)
    return new VoiceError("conflict", `${what}: the call is not in progress`, { retryable: true });
  if (status === 401) return new UpstreamAccessError(`${what} failed with 401`, accessHelp);
  const meaning = code === undefined ? undefined : meaningOfError(code);
  const failed = `${what} failed with ${status}${code === undefined ? "" : `/${code}`}`;
  if (meaning?.cause === "number") return new VoiceError("pstn_number_invalid", "the number cannot be called");
  if (meaning?.cause === "permission" || meaning?.cause === "configuration")
    return new UpstreamAccessError(`${failed}: ${meaning.about}`, meaning.about);
  if (meaning?.cause === "limit")
    return new VoiceError("rate_limited", `${failed}: ${meaning.about}`, { reason: meaning.about, retryable: true });
  // Without a code of Twilio's own, whoever answered is somebody on the way, and has decided nothing.
  const isDecision = code !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new VoiceError(codeByStatus[status] ?? "upstream_unavailable", failed, { retryable: !isDecision });
}
