/** Why something failed, for operators. */
import type { VoiceError } from "@voice/shared/platform/errors";
import type { FailureCause } from "../turn/turn-events.ts";

/** What operators may know of an error; its message and its own cause may hold anybody's text. */
export function causeOf({ code, reason }: Pick<VoiceError, "code" | "reason">): FailureCause {
  return reason === undefined ? { code } : { code, reason };
}

/** A sentence without its full stop, with the cause. */
export function withReason(message: string, { reason }: Pick<VoiceError, "reason">): string {
  return reason === undefined ? `${message}.` : `${message} (${reason}).`;
}
