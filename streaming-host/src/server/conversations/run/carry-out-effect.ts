/**
 * Carries out an effect that a tool requests for the call: through the peer if it holds the line, otherwise through
 * call control.
 */
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { CallControl } from "../../../calls/call-control.ts";
import type { TransferEars } from "../../../calls/effects/warm-transfer.ts";
import type { EffectOutcome, HostEffect } from "../../../session/conversation/host-effects.ts";
import type { Transport } from "../../../transports/transport.ts";

export async function carryOutEffect(
  effect: HostEffect,
  call: {
    readonly transport: Transport;
    readonly record: SessionRecord;
    readonly callControl: Pick<CallControl, "carryOut"> | undefined;
    readonly ears: TransferEars;
    /** Ends the conversation; the peer continues with the caller. */
    readonly endConversation: () => void;
    readonly logger: Logger;
  },
): Promise<EffectOutcome> {
  const { transport, record, callControl, ears, logger } = call;
  if (transport.handBack?.(effect) === true) {
    call.endConversation();
    return { ok: true };
  }
  if (callControl === undefined || record.callConnectionId === undefined) {
    logger.warn({ effect: effect.type }, "nobody on this channel can carry out an effect");
    return { ok: false, reason: "this is not a phone call" };
  }
  const outcome = await callControl.carryOut(effect, record.callConnectionId, ears);
  if (!outcome.ok) logger.warn({ effect: effect.type, reason: outcome.reason }, "an effect was not carried out");
  return outcome;
}
