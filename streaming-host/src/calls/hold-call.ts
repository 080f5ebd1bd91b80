/**
 * Hold: the service plays music to the caller, who hears nothing of us meanwhile, nor we of them. The record says until
 * when, so that any host gives the call back when the one that asked for it is gone.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Clock } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import { VoiceError } from "@voice/shared/platform/errors";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import type { EffectOutcome, HostEffect } from "../session/host-effects.ts";
import { pause } from "@voice/shared/platform/pause";
import { outcomeIn, unlessAway } from "./awaited-outcome.ts";
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
  if (!(await ledger.note(callId, operationContext, "hold.requested", { seconds })))
    return awaitResumption(call, operationContext, dependencies);
  if (call.status !== "connected") return { ok: false, reason: "the call is not connected" };
  // Before the music: whoever is on hold must be given back, also by a host that knows only the record.
  const held = await ledger.hold(call, clock.wallNow() + seconds * 1000);
  try {
    await automation.hold({ callConnectionId, to, operationContext, audioUrl });
  } catch (error) {
    await ledger.resume(held);
    throw error;
  }
  ledger.show(held, "on hold");
  return awaitResumption(held, operationContext, dependencies);
}

/** The caller hears music whatever becomes of the cache: while that is away there is no news, and the time runs. */
async function awaitResumption(
  held: CallRecord,
  operationContext: string,
  dependencies: HoldDependencies,
): Promise<EffectOutcome> {
  const { calls, ledger, clock } = dependencies;
  let call = held;
  for (;;) {
    const news = await unlessAway(async () => ({
      call: await calls.get(held.callId),
      failure: outcomeIn(await calls.events(held.callId), { operationContext, events: holdEvents }),
    }));
    call = news?.call ?? call; // a cache that came back without its data has no news either
    if (isEnded(call.status)) return { ok: false, reason: "the call is over" };
    if (news?.failure !== undefined) {
      ledger.show(await ledger.resume(call), "hold failed");
      return news.failure;
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
export async function resumeCall(
  call: CallRecord,
  { ledger, automation }: Pick<HoldDependencies, "ledger" | "automation">,
): Promise<void> {
  const { callConnectionId } = call;
  const to = farEndOf(call);
  if (callConnectionId === undefined || to === undefined) return;
  try {
    await automation.unhold({ callConnectionId, to });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "call_not_found") throw error;
    // Nobody is left who could be given back.
    await ledger.end(call, "disconnected", "the service has forgotten the call");
    return;
  }
  // The caller is back, and hears of it; that it is written down can wait for the next host that looks.
  await unlessAway(async () => ledger.show(await ledger.resume(call), "resumed"));
}
