/**
 * Hold: the service plays music to the caller, who hears nothing of us meanwhile, nor we of them. The record says until
 * when, so that any host gives the call back when the one that asked for it is gone.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { EffectOutcome, HostEffect } from "../session/host-effects.ts";
import { outcomeIn, pause } from "./awaited-outcome.ts";
import type { CallLedger } from "./call-ledger.ts";
import { farEndOf } from "./far-end.ts";

export interface HoldDependencies {
  readonly calls: CallStore;
  readonly ledger: CallLedger;
  readonly automation: CallAutomation;
  /** What is played; the service's own music where absent. */
  readonly holdAudioUrl?: string | undefined;
  readonly clock: Clock;
}

/** Every held call asks the store this often; a second of music more or less is nothing to a caller. */
const pollMs = 500;
/** `HoldFailed` is the only event about a hold; that nothing failed is a success when the time is over. */
const holdEvents = { succeeded: "", failed: "HoldFailed" } as const;

/** Resolves when the caller is back; for a hold that began before, on whatever host, as well (EFFECT-6). */
export async function holdCall(
  call: CallRecord,
  { id = createUuid(), seconds }: Extract<HostEffect, { type: "hold" }>,
  dependencies: HoldDependencies,
): Promise<EffectOutcome> {
  const { ledger, automation, holdAudioUrl: audioUrl, clock } = dependencies;
  const { callId, callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return { ok: false, reason: "the call is not connected" };
  const operationContext = `hold:${id}`;
  if (await ledger.note(callId, operationContext, "hold.requested", { seconds })) {
    if (call.status !== "connected") return { ok: false, reason: "the call is not connected" };
    await automation.hold({ callConnectionId, to, operationContext, audioUrl });
    ledger.show(await ledger.hold(call, clock.wallNow() + seconds * 1000), "on hold");
  }
  return awaitResumption(callId, operationContext, dependencies);
}

async function awaitResumption(
  callId: string,
  operationContext: string,
  dependencies: HoldDependencies,
): Promise<EffectOutcome> {
  const { calls, ledger, clock } = dependencies;
  for (;;) {
    const call = await calls.get(callId);
    if (call === undefined || isEnded(call.status)) return { ok: false, reason: "the call is over" };
    const failure = outcomeIn(await calls.events(callId), { operationContext, events: holdEvents });
    if (failure !== undefined) {
      ledger.show(await ledger.resume(call), "hold failed");
      return failure;
    }
    if (call.status !== "on_hold") return { ok: true };
    if (clock.wallNow() >= (call.holdUntilMs ?? 0)) {
      await resumeCall(call, dependencies);
      return { ok: true };
    }
    await pause(clock, pollMs);
  }
}

/** Doing it twice does nothing more. */
export async function resumeCall(call: CallRecord, { ledger, automation }: HoldDependencies): Promise<void> {
  const { callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return;
  await automation.unhold({ callConnectionId, to });
  ledger.show(await ledger.resume(call), "resumed");
}
