/** Records an incoming call and has it answered once, however often its event is delivered. */
import { createHash } from "node:crypto";
import { tenantOwner } from "@voice/shared/auth/tenant";
import { inboundDelivery, partyOf, type InboundDelivery } from "@voice/shared/calls/azure/azure-event";
import { createCallOnce } from "@voice/shared/calls/create-call-once";
import { partyOfText, type Party } from "@voice/shared/calls/party";
import { routeOf } from "@voice/shared/catalog/conversation-routes";
import type { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import { startOfCall } from "@voice/shared/config/called-numbers";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallRequests } from "./call-requests.ts";
import type { VendorEvent } from "./delivered-events.ts";

export const incomingCallType = "Microsoft.Communication.IncomingCall";
export const subscriptionValidationType = "Microsoft.EventGrid.SubscriptionValidationEvent";

interface InboundDependencies {
  readonly calls: CallStore;
  readonly callRequests: CallRequests;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly releases: Pick<ReleasedCatalogs, "ofSession">;
  readonly traceparent?: string | undefined;
}

/** The outcome of one delivery's calls. */
export interface InboundOutcome {
  /** The number of calls whose answering was requested from the streaming hosts. */
  readonly asked: number;
  /** Calls that an earlier delivery had already announced. */
  readonly duplicates: number;
}

/**
 * Rejects if a call could not be stored, or its event lacks required fields; the other calls are answered all the same.
 */
export async function receiveInboundCalls(
  events: readonly VendorEvent[],
  dependencies: InboundDependencies,
): Promise<InboundOutcome> {
  const nowMs = dependencies.clock.wallNow();
  const answerable = events.flatMap(({ timeMs = nowMs, data }) => {
    const { incomingCallContext, ...delivery } = inboundDelivery.parse(data);
    // An event that seems to come from the future was sent by a clock that is ahead of ours.
    const rangAtMs = Math.min(timeMs, nowMs);
    return incomingCallContext === undefined ? [] : [{ ...delivery, rangAtMs, incomingCallContext }];
  });
  let asked = 0;
  for (const call of answerable) if ((await receive(call, dependencies)) === "requested") asked += 1;
  const refused = events.length - answerable.length;
  if (refused > 0) {
    const which =
      events.length === 1 ? "The incoming call names" : `${refused} of ${events.length} incoming calls name`;
    throw new BadRequestError("validation_error", `${which} no context to answer with.`, [
      { field: "data.incomingCallContext", message: "Field required", code: "missing" },
    ]);
  }
  return { asked, duplicates: answerable.length - asked };
}

type AnswerableCall = InboundDelivery & {
  /** When it began to ring: a delivery may come late, and then there is less time to answer, or none (IN-3). */
  readonly rangAtMs: number;
  readonly incomingCallContext: string;
};

function receive(call: AnswerableCall, dependencies: InboundDependencies): Promise<"requested" | "duplicate"> {
  const { incomingCallContext, correlationId, rangAtMs, from, to } = call;
  const caller = partyOf(from);
  const called = to === undefined ? undefined : partyOf(to);
  const ring = to?.rawId ?? to?.phoneNumber?.value ?? "";
  return recordRing({ incomingCallContext, correlationId, rangAtMs, caller, called, ring }, dependencies);
}

/** A call that rings, at whichever service. */
interface RingingCall {
  readonly incomingCallContext: string;
  readonly correlationId?: string | undefined;
  readonly rangAtMs: number;
  readonly caller: Party;
  /** Our own number if the service does not say. */
  readonly called: Party | undefined;
  /** Where it rings, in the service's words. */
  readonly ring: string;
}

export async function recordRing(
  call: RingingCall,
  dependencies: InboundDependencies,
): Promise<"requested" | "duplicate"> {
  const { incomingCallContext, correlationId } = call;
  const callId = inboundCallId(call);
  await recordOnce(callId, call, dependencies);
  // Published after the record is stored, so that the answering host finds it; the event's id makes repeating both
  // harmless.
  const { callRequests, traceparent } = dependencies;
  return callRequests.answer({ callId, incomingCallContext, correlationId, traceparent });
}

async function recordOnce(
  callId: string,
  { called: known, caller, rangAtMs }: RingingCall,
  dependencies: InboundDependencies,
): Promise<void> {
  const { calls, clock, settings, traceparent } = dependencies;
  const called = known ?? partyOfText(settings.commPhoneNumber ?? "");
  const sessionId = createId("session");
  await createCallOnce(calls, {
    callId,
    status: "ringing",
    direction: "inbound",
    targetNumber: called.number,
    targetRawId: called.rawId,
    callerNumber: caller.number,
    callerRawId: caller.rawId,
    context: {},
    ...(await startOf(called, sessionId, dependencies)),
    streamingMode: settings.streamingMode,
    recording: settings.recordingEnabled,
    participants: [],
    sessionId,
    traceparent,
    rangAtMs,
    createdAtMs: clock.wallNow(),
  });
}

/** The row of the called number, else COMM_SCENARIOS, else the row of all phone calls (ROUTE-2). */
async function startOf(
  called: Party,
  sessionId: string,
  { releases, clock, settings }: InboundDependencies,
): Promise<Partial<CallRecord>> {
  const { catalog, version: release } = await releases.ofSession(sessionId, undefined);
  const now = { wallMs: clock.wallNow(), timeZone: settings.timeZone };
  const routed = routeOf(catalog.routes, { channel: "phone", called }, now);
  const ofSettings = startOfCall(called, settings.commScenarios);
  if (routed === undefined || (routed.route.channel !== undefined && ofSettings !== undefined))
    return { release, ...ofSettings };
  const { route, target, say } = routed;
  const { language, timeZone, tenant } = route;
  const owner = tenant === undefined ? undefined : tenantOwner(tenant);
  if (say !== undefined) return { release, owner, language, timeZone, turnedAway: true, announcement: say };
  return { release, owner, scenario: target?.scenario, agent: target?.agent, language, timeZone };
}

/**
 * Each ringing call is one call. It is identified by the context with which it is answered, which is the same in every delivery of its
 * event and in the events of every subscription. The correlation id is that of a chain of calls, which continues when a call is transferred
 * or redirected to another of our numbers, or back to the same (decision 039).
 */
function inboundCallId({ incomingCallContext, ring }: RingingCall): string {
  const one = JSON.stringify([incomingCallContext, ring]);
  return `call-in-${createHash("sha256").update(one).digest("base64url").slice(0, 22)}`;
}
