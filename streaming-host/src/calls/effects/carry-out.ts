/** Carries out the effects on a call that agents request, each at most once, and reports those that failed. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { personDestination } from "@voice/shared/config/destinations";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome, HostEffect } from "../../session/conversation/host-effects.ts";
import type { CallParts } from "../call-parts.ts";
import { hangUpCall } from "../end/end-call.ts";
import { farEndOf } from "./far-end.ts";
import { carryOutHold } from "./hold-call.ts";
import { repeatUntilKnown } from "./service-operation.ts";
import { refusalReason } from "./refusal-reason.ts";
import { carryOutTransfer } from "./transfer-call.ts";
import type { TransferEars } from "./warm-transfer.ts";

export type CarryOut = (effect: HostEffect, callConnectionId: string, ears?: TransferEars) => Promise<EffectOutcome>;

/** Never rejects. */
export function createCarryOut(parts: CallParts): CarryOut {
  const { host, ledger } = parts;

  async function act(effect: HostEffect, call: CallRecord, ears: TransferEars | undefined): Promise<EffectOutcome> {
    switch (effect.type) {
      case "hang-up":
        await hangUpCall(call, effect.reason, parts);
        return { ok: true };
      case "send-dtmf":
        return sendDigits(effect, call, parts);
      case "transfer":
        return carryOutTransfer(call, effect, parts, ears);
      case "escalate":
        return carryOutTransfer(call, { ...effect, target: personDestination }, parts, ears);
      case "hold":
        return carryOutHold(call, effect, parts);
    }
  }

  async function actOrSayWhy(
    effect: HostEffect,
    call: CallRecord,
    ears: TransferEars | undefined,
  ): Promise<EffectOutcome> {
    try {
      return await act(effect, call, ears);
    } catch (error) {
      const { code } = toVoiceError(error);
      host.logger.warn({ error, code, effect: effect.type }, "the telephone service refused an effect");
      return { ok: false, reason: refusalReason(error) };
    }
  }

  /** The effect has happened, whether or not it could be stored. */
  async function writeDown(effect: HostEffect, outcome: EffectOutcome, call: CallRecord): Promise<void> {
    const details = {
      outcome: outcome.ok ? "done" : outcome.reason,
      ...(effect.type === "hang-up" ? { reason: effect.reason } : {}),
    };
    const { callId } = call;
    const fields = { callId, effect: effect.type };
    await warnIfItFails(host.logger, fields, "an effect could not be written down", () =>
      ledger.logEvent(callId, `effect:${effect.id ?? createUuid()}`, { type: `effect.${effect.type}`, details }),
    );
    ledger.announce(call, `${effect.type} ${outcome.ok ? "done" : "failed"}`);
  }

  return async (effect, callConnectionId, ears) => {
    try {
      const call = await host.state.calls.getByConnection(callConnectionId);
      if (call === undefined || isEnded(call.status)) return { ok: false, reason: "the call is over" };
      const outcome = await actOrSayWhy(effect, call, ears);
      await writeDown(effect, outcome, call);
      return outcome;
    } catch (error) {
      return { ok: false, reason: refusalReason(error) };
    }
  };
}

const unanswered = { ok: false, reason: "a fault in the telephone service" } as const;
/** How long the service may take to send keys: longer than 32 tones last. */
const digitsMs = 12_000;

/**
 * Pressing keys twice may do harm, and a menu does not wait for keys that are not pressed. So another host repeats the
 * same request, which the service carries out once.
 */
async function sendDigits(
  { id = createUuid(), digits }: Extract<HostEffect, { type: "send-dtmf" }>,
  call: CallRecord,
  parts: CallParts,
): Promise<EffectOutcome> {
  const { host, ledger, automation } = parts;
  const { callId, callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return { ok: false, reason: "the call is not connected" };
  const operationContext = `digits:${id}`;
  const operation = { callId, operationContext };
  const { atMs: firstSentAtMs } = await host.state.callOperations.begin(operation);
  const known = await host.state.callOperations.find(operation);
  if (known !== undefined) return known;
  await ledger.logEvent(callId, operationContext, { type: "keys.requested", details: {} });
  const request = {
    repetition: { id: operationContext, firstSentAtMs },
    callConnectionId,
    digits,
    to,
    operationContext,
  };
  const untilMs = host.clock.wallNow() + digitsMs;
  const accepted = await repeatUntilKnown(operation, () => automation.sendDigits(request), untilMs, parts);
  const reported = await host.state.callOperations.outcome(operation, { timeoutMs: digitsMs });
  // If the service accepted the tones, they were sent unless it reports a failure.
  return reported ?? (accepted === undefined ? unanswered : { ok: true });
}
