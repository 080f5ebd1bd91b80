/** Carries out what agents ask of the call, at most once each, and says so when it could not be done. */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { personDestination } from "@voice/shared/config/destinations";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { EffectOutcome, HostEffect } from "../session/host-effects.ts";
import { hangUpCall } from "./end-call.ts";
import { awaitOutcome, digitEvents, transferEvents } from "./awaited-outcome.ts";
import { farEndOf } from "./far-end.ts";
import { awaitResumption, holdCall } from "./hold-call.ts";
import type { HoldDependencies } from "./hold-call.ts";
import { transferFailedType, transferRequestedType } from "./pending-effect.ts";

export interface CarryOutDependencies extends HoldDependencies {
  readonly destinations: ReadonlyMap<string, string>;
  readonly logger: Logger;
  /** How long a transfer's other end may ring. */
  readonly transferTimeoutMs: number;
}

export type CarryOut = (effect: HostEffect, callConnectionId: string) => Promise<EffectOutcome>;

/** Never rejects. The reasons are for the agent to say, in words that fit "I could not, because of …". */
export function createCarryOut(dependencies: CarryOutDependencies): CarryOut {
  const { calls, ledger, logger } = dependencies;

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
      case "hold":
        return holdCall(call, effect.seconds, dependencies);
      case "await-resumption":
        return awaitResumption(call.callId, dependencies);
      case "await-transfer":
        return transferOutcome(call.callId, effect.operationContext, dependencies);
    }
  }

  async function actOrSayWhy(effect: HostEffect, call: CallRecord): Promise<EffectOutcome> {
    try {
      return await act(effect, call);
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.warn({ error, code, effect: effect.type }, "the telephone service refused an effect");
      return { ok: false, reason: reasonByCode[code] ?? "a fault in the telephone service" };
    }
  }

  async function write(effect: HostEffect, call: CallRecord, outcome: EffectOutcome): Promise<void> {
    await ledger.note(call.callId, `effect:${createUuid()}`, `effect.${effect.type}`, {
      outcome: outcome.ok ? "done" : outcome.reason,
      ...(effect.type === "hang-up" ? { reason: effect.reason } : {}),
    });
    ledger.show(call, `${effect.type} ${outcome.ok ? "done" : "failed"}`);
  }

  return async (effect, callConnectionId) => {
    try {
      const call = await calls.getByConnection(callConnectionId);
      if (call === undefined || isEnded(call.status)) return { ok: false, reason: "the call is over" };
      const outcome = await actOrSayWhy(effect, call);
      await write(effect, call, outcome);
      return outcome;
    } catch (error) {
      const { code } = toVoiceError(error);
      logger.warn({ error, code, effect: effect.type }, "what became of an effect could not be written down");
      return { ok: false, reason: "a fault in the telephone service" };
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
  { automation, calls, clock }: CarryOutDependencies,
): Promise<EffectOutcome> {
  const { callId, callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return { ok: false, reason: "the call is not connected" };
  const operationContext = `digits:${createUuid()}`;
  await automation.sendDigits({ requestId: operationContext, callConnectionId, digits, to, operationContext });
  const otherwise: EffectOutcome = { ok: true }; // they were accepted, and nothing says that they were not sent
  return awaitOutcome(calls, clock, { callId, operationContext, events: digitEvents, boundMs: digitsMs, otherwise });
}

/** Longer than 32 tones take. */
const digitsMs = 12_000;

async function transfer(
  call: CallRecord,
  wanted: string,
  reason: string,
  dependencies: CarryOutDependencies,
): Promise<EffectOutcome> {
  const { calls, ledger, automation, destinations } = dependencies;
  const { callId, callConnectionId, sessionId } = call;
  // A name stands for a place in the settings; anything else has to be an address itself.
  const target = destinations.get(wanted) ?? (/^[a-z][a-z0-9-]*$/.test(wanted) ? undefined : wanted);
  if (target === undefined) return { ok: false, reason: "nobody is available there" };
  if (callConnectionId === undefined) return { ok: false, reason: "the call is not connected" };
  // One at a time, on whatever host: the next transfer may begin when the one before has failed.
  const failed = (await calls.events(callId)).filter(({ type }) => type === transferFailedType).length;
  const operationContext = `transfer:${callId}:${failed}`;
  if (!(await ledger.note(callId, operationContext, transferRequestedType)))
    return { ok: false, reason: "the call is being transferred already", isUnderWay: true };
  // By the session's id whoever takes the call finds what was said so far.
  const context = { Reason: reason, "Session-Id": sessionId };
  try {
    await automation.transfer({ requestId: operationContext, callConnectionId, target, operationContext, context });
  } catch (error) {
    await ledger.note(callId, `${operationContext}:failed`, transferFailedType);
    throw error;
  }
  return transferOutcome(callId, operationContext, dependencies);
}

async function transferOutcome(
  callId: string,
  operationContext: string,
  { calls, ledger, clock, transferTimeoutMs: boundMs }: CarryOutDependencies,
): Promise<EffectOutcome> {
  const otherwise: EffectOutcome = { ok: false, reason: "no answer" };
  const outcome = await awaitOutcome(calls, clock, {
    callId,
    operationContext,
    events: transferEvents,
    boundMs,
    otherwise,
  });
  if (!outcome.ok) await ledger.note(callId, `${operationContext}:failed`, transferFailedType);
  return outcome;
}
