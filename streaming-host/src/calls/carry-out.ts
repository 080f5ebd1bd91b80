/** Carries out what agents ask of the call, at most once each, and says so when it could not be done. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { personDestination } from "@voice/shared/config/destinations";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { EffectOutcome, HostEffect } from "../session/host-effects.ts";
import type { CallLedger } from "./call-ledger.ts";
import { hangUpCall } from "./end-call.ts";
import { awaitTransfer } from "./transfer-outcome.ts";

export interface CarryOutDependencies {
  readonly calls: CallStore;
  readonly ledger: CallLedger;
  readonly automation: CallAutomation;
  readonly destinations: ReadonlyMap<string, string>;
  readonly clock: Clock;
  /** How long a transfer's other end may ring. */
  readonly transferTimeoutMs: number;
}

export type CarryOut = (effect: HostEffect, callConnectionId: string) => Promise<EffectOutcome>;

/** Never rejects. The reasons are for the agent to say, in words that fit "I could not, because of …". */
export function createCarryOut(dependencies: CarryOutDependencies): CarryOut {
  const { calls, ledger } = dependencies;

  async function act(effect: HostEffect, call: CallRecord): Promise<EffectOutcome> {
    switch (effect.type) {
      case "hang-up":
        await hangUpCall(call, effect.reason, dependencies);
        return { ok: true };
      case "send-dtmf":
        return sendDigits(effect.digits, call, dependencies);
      case "transfer":
        return transfer(call, effect.target, effect.reason, dependencies);
      case "escalate":
        return transfer(call, personDestination, effect.reason, dependencies);
    }
  }

  return async (effect, callConnectionId) => {
    try {
      const call = await calls.getByConnection(callConnectionId);
      if (call === undefined || isEnded(call.status)) return { ok: false, reason: "the call is over" };
      const outcome = await act(effect, call);
      await ledger.note(call.callId, `effect:${createUuid()}`, `effect.${effect.type}`, {
        outcome: outcome.ok ? "done" : outcome.reason,
      });
      ledger.show(call, `${effect.type} ${outcome.ok ? "done" : "failed"}`);
      return outcome;
    } catch (error) {
      return { ok: false, reason: reasonByCode[toVoiceError(error).code] ?? "a fault in the telephone service" };
    }
  };
}

const reasonByCode: Readonly<Record<string, string>> = {
  call_not_found: "the call is over",
  pstn_number_invalid: "the number is not valid",
  rate_limited: "the telephone service is busy",
  validation_error: "the digits are not valid",
};

async function sendDigits(
  digits: string,
  call: CallRecord,
  { automation }: CarryOutDependencies,
): Promise<EffectOutcome> {
  const { callConnectionId, direction, targetNumber, callerNumber } = call;
  const to = direction === "outbound" ? targetNumber : callerNumber;
  if (callConnectionId === undefined || to === undefined) return { ok: false, reason: "the call is not connected" };
  await automation.sendDigits({ requestId: `digits:${createUuid()}`, callConnectionId, digits, to });
  return { ok: true };
}

async function transfer(
  call: CallRecord,
  wanted: string,
  reason: string,
  { calls, ledger, automation, destinations, clock, transferTimeoutMs }: CarryOutDependencies,
): Promise<EffectOutcome> {
  const { callId, callConnectionId } = call;
  // A name stands for a place in the settings; anything else has to be an address itself.
  const target = destinations.get(wanted) ?? (/^[a-z][a-z0-9-]*$/.test(wanted) ? undefined : wanted);
  if (target === undefined) return { ok: false, reason: "nobody is available there" };
  if (callConnectionId === undefined) return { ok: false, reason: "the call is not connected" };
  // One at a time, on whatever host: the next transfer may begin when the one before has failed.
  const failed = (await calls.events(callId)).filter(({ type }) => type === transferFailedType).length;
  const operationContext = `transfer:${callId}:${failed}`;
  if (!(await ledger.note(callId, operationContext, "transfer.requested")))
    return { ok: false, reason: "the call is being transferred already" };
  try {
    await automation.transfer({ requestId: operationContext, callConnectionId, target, operationContext, reason });
    const outcome = await awaitTransfer(calls, clock, { callId, operationContext, boundMs: transferTimeoutMs });
    if (!outcome.ok) await ledger.note(callId, `${operationContext}:failed`, transferFailedType);
    return outcome;
  } catch (error) {
    await ledger.note(callId, `${operationContext}:failed`, transferFailedType);
    throw error;
  }
}

const transferFailedType = "transfer.failed";
