/** Call management (spec section 4.2). */
import { type callStatusResponse, initiateCall, listCalls, terminateCall } from "@voice/shared/contracts/http/calls";
import { findScenario, type Catalog } from "@voice/shared/catalog/catalog";
import { isEnded } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import { canRecord } from "@voice/shared/recordings/create-recording-store";
import type { CallRecord, CallStore, LoggedCall } from "@voice/shared/state/ports/call-store";
import type { z } from "zod";
import { route, type Route } from "../http/route.ts";
import { SchemaError } from "../http/validation.ts";
import { scenarioNameOf } from "../services/scenario-catalog.ts";

export const callRoutes: readonly Route[] = [
  route(initiateCall)(async ({ body }, { callAutomation, catalog, clock, settings, state }) => {
    const targetNumber = "target_number" in body ? body.target_number : body.phone_number;
    const callerNumber = body.caller_id ?? undefined;
    requireCallable(targetNumber, callerNumber ?? settings.commPhoneNumber);
    requireScenario(body.scenario ?? undefined, catalog);
    requireAgent(body.agent ?? undefined, body.scenario ?? scenarioNameOf(settings), catalog);
    requireRecordable(body.record_call ?? false, settings);
    const call = await state.calls.create({
      callId: createId("call"),
      status: "initiating",
      direction: "outbound",
      targetNumber,
      callerNumber,
      context: body.context ?? {},
      scenario: body.scenario ?? undefined,
      agent: body.agent ?? undefined,
      streamingMode: body.streaming_mode ?? settings.streamingMode,
      recording: body.record_call ?? settings.recordingEnabled,
      voicemail: body.voicemail ?? undefined,
      participants: [],
      sessionId: createId("session"),
      createdAtMs: clock.wallNow(),
    });
    await callAutomation.place(call.callId);
    return {
      status: 200,
      body: {
        call_id: call.callId,
        status: "initiating",
        target_number: targetNumber,
        message: "Call initiation requested",
      },
    };
  }),

  route(listCalls)(async ({ query }, { clock, state }) => {
    const { limit, page, status_filter: status } = query;
    const found = await state.calls.list({ offset: (page - 1) * limit, limit, status });
    const nowMs = clock.wallNow();
    return {
      status: 200,
      body: { calls: found.calls.map((call) => callView(call, nowMs)), total: found.total, page, limit },
    };
  }),

  route(terminateCall)(async ({ body }, { callAutomation, state }) => {
    const id = "connection_id" in body ? body.connection_id : body.call_id;
    const call = await findCall(state.calls, id);
    if (call === undefined) throw new BadRequestError("call_not_found", "There is no such call.");
    if (isEnded(call.status)) throw new BadRequestError("conflict", `The call has already ended: ${call.status}.`);
    const { callId, callConnectionId } = call;
    await callAutomation.hangUp({ callId, callConnectionId, reason: body.reason ?? "normal" });
    return {
      status: 200,
      body: {
        call_id: callId,
        connection_id: callConnectionId ?? null,
        status: "terminated",
        message: "Call hangup requested",
      },
    };
  }),
];

/** The network would answer this with a busy tone and a bill. */
function requireCallable(targetNumber: string, callerNumber: string | undefined): void {
  if (targetNumber !== callerNumber) return;
  throw new BadRequestError("pstn_number_invalid", "The service cannot call its own number.", [
    { field: "target_number", message: "The same as the caller id", code: "number_not_callable" },
  ]);
}

/** A misspelt scenario is told now, not to whoever picks up the phone. */
function requireScenario(name: string | undefined, catalog: Catalog): void {
  if (name === undefined || findScenario(catalog, name) !== undefined) return;
  const known = [...catalog.scenarios.values()].map((scenario) => scenario.name).join(", ");
  throw new SchemaError([{ loc: ["body", "scenario"], msg: `Unknown scenario; there are ${known}`, type: "enum" }]);
}

/** Who asks for a recording must not find out afterwards that there is none. */
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

/** Callers know a call by the id that we gave it or by the communication service's. */
async function findCall(calls: CallStore, id: string): Promise<CallRecord | undefined> {
  return (await calls.getByConnection(id)) ?? (await calls.get(id));
}

function callView({ call, events }: LoggedCall, nowMs: number): z.input<typeof callStatusResponse> {
  const { connectedAtMs, endedAtMs = nowMs } = call;
  return {
    call_id: call.callId,
    status: call.status,
    duration: connectedAtMs === undefined ? null : Math.max(0, Math.round((endedAtMs - connectedAtMs) / 1000)),
    participants: call.participants.map(({ id, phoneNumber, role, status }) => ({
      id,
      phone_number: phoneNumber ?? null,
      role,
      status,
    })),
    events: events.map(({ type, timestampMs, details }) => ({
      type,
      timestamp: new Date(timestampMs).toISOString(),
      details: { ...details },
    })),
  };
}
