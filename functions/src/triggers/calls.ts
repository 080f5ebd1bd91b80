/** Call management. */
import { isTimeZone } from "@voice/shared/platform/local-day";
import { callOutcomeOf } from "@voice/shared/contracts/calls/call-outcome";
import { callLogMessage } from "@voice/shared/contracts/calls/call-log";
import {
  type callStatusResponse,
  initiateCall,
  listCalls,
  streamingModeField,
  deleteCall,
  terminateCall,
} from "@voice/shared/contracts/http/calls";
import { describeCost } from "@voice/shared/costs/describe-usage";
import { findScenario, type Catalog } from "@voice/shared/catalog/catalog";
import { noSuchTimeZone } from "@voice/shared/catalog/known-languages";
import { isKnownLanguage, noSuchLanguage } from "@voice/shared/languages/language-tag";
import { ownerOf, requireAccess, roleIsMissing } from "@voice/shared/auth/caller";
import { unknownResource } from "@voice/shared/auth/unknown-resource";
import { createCallOnce } from "@voice/shared/calls/create-call-once";
import { conversationOf } from "@voice/shared/calls/conversation-of-call";
import { findCallByEitherId } from "@voice/shared/calls/find-call";
import { allPlacesTaken, reservePlace, streamWithinMs } from "@voice/shared/calls/fleet-capacity";
import { endReasonOf } from "@voice/shared/calls/call-end-reason";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import { jsonBytes } from "@voice/shared/platform/json-bytes";
import { canRecord } from "@voice/shared/recordings/create-recording-store";
import type { CallRecord, LoggedCall } from "@voice/shared/state/ports/call-store";
import type { SessionStore, StreamingMode } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { z } from "zod";
import { answer, route, type Route } from "../http/route.ts";
import { SchemaError } from "../http/validation.ts";
import { releaseCallQuota, requireCallQuota } from "../services/call-quotas.ts";
import { countRefusals, requireCallable } from "../services/callable-number.ts";
import { findCalls } from "../services/find-calls.ts";
import { forgetCall } from "../services/forget-session.ts";
import { isWithoutTelephone } from "../services/fleet.ts";
import { idempotentRequest, type IdempotentRequest } from "../services/idempotency-key.ts";
import { onlyOf } from "../services/own.ts";
import { scenarioNameOf } from "../services/scenario-name.ts";

export const callRoutes: readonly Route[] = [
  route(initiateCall)(
    async ({ body, request }, { callRequests, releases, clock, settings, state, storageQuota, telemetry }) => {
      const [field, targetNumber] =
        "target_number" in body
          ? (["target_number", body.target_number] as const)
          : (["phone_number", body.phone_number] as const);
      const callerNumber = body.caller_id ?? undefined;
      // Refused requests are counted as well: somebody who tries numbers or tokens is noticed by them.
      const requireAllowed = countRefusals(telemetry);
      await requireAllowed(async () => {
        if (!request.caller.mayPlaceCalls) throw roleIsMissing("This caller may not place phone calls.", "CALL_ROLE");
        requireOtherNumber(targetNumber, callerNumber ?? settings.commPhoneNumber);
        await requireCallable(targetNumber, field, settings);
      });
      const { catalog } = await releases.deployed();
      requireScenario(body.scenario ?? undefined, catalog);
      requireAgent(body.agent ?? undefined, body.scenario ?? scenarioNameOf(settings, catalog), catalog);
      requireSuch("language", body.language, isKnownLanguage, noSuchLanguage);
      requireSuch("time_zone", body.time_zone, isTimeZone, noSuchTimeZone);
      requireRecordable(body.record_call ?? false, settings);
      const keyed = idempotentRequest(request, body, state.keyedRequests);
      const proposedId = createId("call");
      // A repeated request places no further call.
      const client = request.caller.subject;
      if ((await keyed?.first()) === undefined) {
        await requireAllowed(() => requireCallQuota(client, proposedId, settings, state));
        try {
          await requirePlace(proposedId, settings, state);
          // Last, because a request that is refused stores nothing.
          await storageQuota.require(client, jsonBytes(body.context ?? {}));
        } catch (error) {
          await giveBack(proposedId, client, state);
          throw error;
        }
        telemetry.count("voice.calls.requested", { outcome: "accepted" });
      }
      const callId = keyed === undefined ? proposedId : await claimCallId(keyed, proposedId, client, state);
      await createCallOnce(state.calls, {
        callId,
        owner: ownerOf(request.caller),
        status: "initiating",
        direction: "outbound",
        targetNumber,
        callerNumber,
        context: body.context ?? {},
        scenario: body.scenario ?? undefined,
        agent: body.agent ?? undefined,
        language: body.language ?? undefined,
        timeZone: body.time_zone ?? undefined,
        streamingMode: body.streaming_mode ?? modeIn(body.context) ?? settings.streamingMode,
        recording: body.record_call ?? settings.recordingEnabled,
        voicemail: body.voicemail ?? undefined,
        participants: [],
        sessionId: createId("session"),
        traceparent: request.traceparent,
        createdAtMs: clock.wallNow(),
      });
      // Published for repeated requests too: the process that accepted the first one may have died before this. The
      // call's id serves as the event's id.
      await callRequests.place(callId, request.traceparent);
      return {
        status: 200,
        body: {
          call_id: callId,
          status: "initiating",
          target_number: targetNumber,
          message: "Call initiation requested",
        },
      };
    },
  ),

  answer(listCalls)(async ({ query, request }, { clock, state }) => {
    const { limit, page } = query;
    const found = await findCalls(query, onlyOf(request.caller), state);
    const nowMs = clock.wallNow();
    return {
      calls: await Promise.all(found.calls.map((call) => callWithCost(call, nowMs, state.sessions))),
      total: found.total,
      page,
      limit,
    };
  }),

  answer(terminateCall)(async ({ body, request }, { callRequests, state }) => {
    const id = "connection_id" in body ? body.connection_id : body.call_id;
    const call = await findCallByEitherId(state.calls, id);
    if (call === undefined) throw unknownResource("call");
    requireAccess(request.caller, call.owner, "call");
    requireSessionOf(call, body.session_id ?? undefined);
    if (isEnded(call.status))
      throw new BadRequestError(
        "conflict",
        `There is nothing to hang up: the call is over (${call.status}). The list of calls says why.`,
      );
    const { callId, callConnectionId } = call;
    const traceparent = call.traceparent ?? request.traceparent;
    await callRequests.hangUp({ callId, callConnectionId, reason: body.reason ?? "normal", traceparent });
    return {
      call_id: callId,
      connection_id: callConnectionId ?? null,
      status: "terminated",
      message: "Call hangup requested",
    };
  }),

  answer(deleteCall)(async ({ params, request }, { state }) => {
    const call = await findCallByEitherId(state.calls, params.call_id);
    if (call === undefined) throw unknownResource("call");
    requireAccess(request.caller, call.owner, "call");
    if (!isEnded(call.status)) throw new BadRequestError("conflict", "The call goes on; end it first.");
    await forgetCall(call.callId, state);
    return { status: "success", call_id: call.callId };
  }),
];

/** Older clients name the mode there. The context is free-form, so anything else under that name is theirs. */
function modeIn(context: Readonly<Record<string, unknown>> | null | undefined): StreamingMode | undefined {
  return streamingModeField.safeParse(context?.["streaming_mode"]).data;
}

/** If the request names the session too, it may end only a call that carries it. */
function requireSessionOf({ sessionId }: CallRecord, asked: string | undefined): void {
  if (asked === undefined || asked === sessionId) return;
  throw new BadRequestError("conflict", "The call carries another session.", [
    { field: "session_id", message: "Not the session of this call", code: "session_mismatch" },
  ]);
}

/** Gives the place back if another request with this key arrived at the same time and was first. */
async function claimCallId(
  keyed: IdempotentRequest,
  proposedId: string,
  client: string,
  state: State,
): Promise<string> {
  let callId: string | undefined;
  try {
    callId = await keyed.resultId(proposedId);
    return callId;
  } finally {
    if (callId !== proposedId) await giveBack(proposedId, client, state);
  }
}

/** What was reserved for a call that is not placed. */
async function giveBack(callId: string, client: string, state: State): Promise<void> {
  await state.callPlaces.giveBack(callId, 0);
  await releaseCallQuota(client, callId, state);
}

/**
 * Without a free place on some host the call would ring, be answered and stay silent. The place is reserved while the
 * phone rings. Where no host has a telephone, nobody would ever place the call.
 */
async function requirePlace(callId: string, { commCallTimeoutMs }: Settings, state: State): Promise<void> {
  const { callPlaces } = state;
  const hosts = await state.hosts.list();
  if (isWithoutTelephone(hosts))
    throw new BadRequestError(
      "dependency_not_ready",
      "No call was placed: no streaming host has a communication service. COMM_ENDPOINT or COMM_CONNECTION_STRING names one.",
    );
  if (await reservePlace({ hosts, callPlaces }, callId, commCallTimeoutMs + streamWithinMs)) return;
  throw new BadRequestError("dependency_not_ready", `No call was placed: ${allPlacesTaken.reason}; try again soon.`);
}

/** Refused here, because the network would answer with a busy tone and charge for it. */
function requireOtherNumber(targetNumber: string, callerNumber: string | undefined): void {
  if (targetNumber !== callerNumber) return;
  throw new BadRequestError("pstn_number_invalid", "The service cannot call its own number.", [
    { field: "target_number", message: "The same as the caller id", code: "number_not_callable" },
  ]);
}

/** A misspelt scenario is reported now, and not to the person who answers the phone. */
function requireScenario(name: string | undefined, catalog: Catalog): void {
  if (name === undefined || findScenario(catalog, name) !== undefined) return;
  const known = [...catalog.scenarios.values()].map((scenario) => scenario.name).join(", ");
  throw new SchemaError([{ loc: ["body", "scenario"], msg: `Unknown scenario; there are ${known}`, type: "enum" }]);
}

/** A client that asks for a recording must not find out afterwards that there is none. */
function requireRecordable(isWanted: boolean, settings: Settings): void {
  if (isWanted && !canRecord(settings))
    throw new BadRequestError("dependency_not_ready", "Calls cannot be recorded: no storage is configured.");
}

function requireAgent(name: string | undefined, scenario: string, catalog: Catalog): void {
  const agents = findScenario(catalog, scenario)?.agents ?? [];
  if (name === undefined || agents.some((agent) => agent.toLowerCase() === name.toLowerCase())) return;
  const known = agents.join(", ");
  throw new SchemaError([{ loc: ["body", "agent"], msg: `Not in the scenario; there are ${known}`, type: "enum" }]);
}

/** What a call cost is stored with its conversation. */
async function callWithCost(
  logged: LoggedCall,
  nowMs: number,
  sessions: SessionStore,
): Promise<z.input<typeof callStatusResponse>> {
  const { call } = logged;
  const session = call.connectedAtMs === undefined ? undefined : await conversationOf(call, sessions);
  const cost = session === undefined ? null : describeCost(session.usage ?? {});
  return { ...callView(logged, nowMs), cost };
}

function callView({ call, events }: LoggedCall, nowMs: number): Omit<z.input<typeof callStatusResponse>, "cost"> {
  const { connectedAtMs, endedAtMs = nowMs } = call;
  return {
    call_id: call.callId,
    session_id: call.sessionId,
    status: call.status,
    outcome: callOutcomeOf(call),
    direction: call.direction,
    target_number: call.targetNumber ?? null,
    target_raw_id: call.targetRawId ?? null,
    caller_number: call.callerNumber ?? null,
    caller_raw_id: call.callerRawId ?? null,
    scenario: call.scenario ?? null,
    created_at: new Date(call.createdAtMs).toISOString(),
    failure: failureView(call),
    end_reason: endReasonOf(call, events),
    duration: connectedAtMs === undefined ? null : Math.max(0, Math.round((endedAtMs - connectedAtMs) / 1000)),
    participants: call.participants.map(({ id, phoneNumber, role, status }) => ({
      id,
      phone_number: phoneNumber ?? null,
      role,
      // The communication service sends no last list of participants when a call ends.
      status: isEnded(call.status) ? "disconnected" : status,
    })),
    events: events.map((entry) => ({
      ...callLogMessage.parse(entry),
      timestamp: new Date(entry.timestampMs).toISOString(),
    })),
  };
}

/** Includes calls that were answered only to announce that all places are taken. */
function failureView({ status, failureCode, failureReason: reason = "unknown", ...call }: LoggedCall["call"]) {
  if (failureCode === undefined && status !== "failed") return null;
  return {
    code: failureCode ?? "call_failed",
    reason,
    service_code: call.serviceCode ?? null,
    service_sub_code: call.serviceSubCode ?? null,
  };
}

/** What looks like a language or a time zone and is none would only be noticed by the person who answers. */
function requireSuch(
  field: "language" | "time_zone",
  value: string | null | undefined,
  isKnown: (value: string) => boolean,
  msg: string,
): void {
  if (typeof value === "string" && !isKnown(value))
    throw new SchemaError([{ loc: ["body", field], msg, type: "value_error" }]);
}
