/** Someone is calling: record the call and have it answered, once, however often the event is delivered. */
import { createHash } from "node:crypto";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import type { CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { CallAutomation } from "./call-automation.ts";
import { objectField, textField, type VendorEvent } from "./delivered-events.ts";

export const incomingCallType = "Microsoft.Communication.IncomingCall";
export const subscriptionValidationType = "Microsoft.EventGrid.SubscriptionValidationEvent";

interface InboundDependencies {
  readonly calls: CallStore;
  readonly callAutomation: CallAutomation;
  readonly clock: Clock;
  readonly settings: Settings;
}

/** Rejects when one of them could not be stored, or says too little: a bad one does not keep the others waiting. */
export async function receiveInboundCalls(
  events: readonly VendorEvent[],
  dependencies: InboundDependencies,
): Promise<void> {
  const answerable = events.flatMap((event) => {
    const incomingCallContext = textField(event.data, "incomingCallContext");
    return incomingCallContext === undefined ? [] : [{ event, incomingCallContext }];
  });
  for (const { event, incomingCallContext } of answerable) await receive(event, incomingCallContext, dependencies);
  if (answerable.length < events.length) {
    throw new BadRequestError("validation_error", "The incoming call names no context to answer it with.", [
      { field: "data.incomingCallContext", message: "Field required", code: "missing" },
    ]);
  }
}

async function receive(
  event: VendorEvent,
  incomingCallContext: string,
  dependencies: InboundDependencies,
): Promise<void> {
  const correlationId = textField(event.data, "correlationId");
  const callId = inboundCallId(correlationId ?? event.id);
  await recordOnce(callId, event, dependencies);
  // After the record, so that whoever answers finds it; the event's id makes the repetition of both harmless.
  await dependencies.callAutomation.answer({ callId, incomingCallContext, correlationId });
}

async function recordOnce(callId: string, event: VendorEvent, dependencies: InboundDependencies): Promise<void> {
  const { calls, clock, settings } = dependencies;
  const targetNumber = numberIn(event.data, "to") ?? settings.commPhoneNumber ?? "";
  const record: Omit<CallRecord, "version"> = {
    callId,
    status: "ringing",
    direction: "inbound",
    targetNumber,
    callerNumber: numberIn(event.data, "from"),
    context: {},
    ...settings.commScenarios.get(targetNumber),
    streamingMode: settings.streamingMode,
    recording: settings.recordingEnabled,
    participants: [],
    sessionId: createId("session"),
    createdAtMs: clock.wallNow(),
  };
  try {
    await calls.create(record);
  } catch (error) {
    if (!(error instanceof VoiceError) || error.code !== "conflict") throw error;
  }
}

/** One call has one correlation id, however many deliveries there are. */
function inboundCallId(key: string): string {
  return `call-in-${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;
}

function numberIn(data: Readonly<Record<string, unknown>>, side: "to" | "from"): string | undefined {
  const identifier = objectField(data, side);
  if (identifier === undefined) return undefined;
  return textField(objectField(identifier, "phoneNumber") ?? {}, "value") ?? textField(identifier, "rawId");
}
