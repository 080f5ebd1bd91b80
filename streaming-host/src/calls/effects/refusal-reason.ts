/** Why an effect on a call failed. The agent says it, so it is worded to fit "I could not, because of …". */
import { toVoiceError } from "@voice/shared/platform/errors";

const reasonByCode: Readonly<Record<string, string>> = {
  pstn_number_invalid: "the number is not valid",
  rate_limited: "the telephone service is busy",
  validation_error: "the digits are not valid",
};

export function refusalReason(error: unknown): string {
  return reasonByCode[toVoiceError(error).code] ?? "a fault in the telephone service";
}
