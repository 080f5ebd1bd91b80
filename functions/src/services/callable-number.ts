/** PLACE: refuses numbers that the settings do not let anybody call, and counts what is refused. */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Settings } from "@voice/shared/config/settings";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";

/** `field`: of the request, which has the number. */
export async function requireCallable(number: string, field: string, settings: Settings): Promise<void> {
  // The numbering plans are large, and few instances judge a number.
  const { whyNotCallable } = await import("@voice/shared/calls/callable");
  const refusal = whyNotCallable(number, settings);
  if (refusal !== undefined) throw new BadRequestError("forbidden", refusal.detail, [{ field, ...refusal.problem }]);
}

export function countRefusals({ count }: Pick<Telemetry, "count">): (require: () => Promise<void>) => Promise<void> {
  return async (require) => {
    try {
      await require();
    } catch (error) {
      count("voice.calls.requested", { outcome: outcomeOf(error) });
      throw error;
    }
  };
}

/** One of a few words, such as `quota_exceeded`. */
function outcomeOf(error: unknown): string {
  const { code } = toVoiceError(error);
  return (error instanceof BadRequestError ? error.fields[0]?.code : undefined) ?? code;
}
