/**
 * EFFECT-11: asks the service to call a person into a call, once, however often the request has to be sent: the service
 * recognises a repetition. A request that nobody has answered may have been carried out, so that the phone rings.
 */
import type { CallAutomation } from "@voice/provider-kit/ports/call-automation";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallOperations } from "@voice/shared/state/ports/call-operations";

export interface InviteDependencies {
  readonly automation: Pick<CallAutomation, "addParticipant">;
  readonly operations: Pick<CallOperations, "outcome">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Between two repetitions. */
const repeatAfterMs = 2000;

/**
 * With the service's id for the invitation, if it said so before it said whether somebody answered, or the phone stopped
 * ringing (`untilMs`). Rejects if the service refuses permanently.
 */
export async function invitePerson(
  callId: string,
  request: Parameters<CallAutomation["addParticipant"]>[0],
  untilMs: number,
  { automation, operations, clock, logger }: InviteDependencies,
): Promise<{ readonly invitationId: string | undefined }> {
  const operation = { callId, operationContext: request.operationContext };
  for (;;) {
    try {
      return await automation.addParticipant(request);
    } catch (error) {
      const { code, retryable } = toVoiceError(error);
      if (!retryable) throw error;
      const timeoutMs = Math.min(repeatAfterMs, untilMs - clock.wallNow());
      if (timeoutMs <= 0) return { invitationId: undefined };
      logger.warn({ error, callId, code }, "whether a person is called into a call is not known, and is asked again");
      if ((await operations.outcome(operation, { timeoutMs })) !== undefined) return { invitationId: undefined };
    }
  }
}
