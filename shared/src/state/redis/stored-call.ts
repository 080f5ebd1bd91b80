/** The parts of a call's record that are stored in another form than they are used in. */
import { z } from "zod";
import { addressOfParty, partyOfText, readNumber } from "../../calls/party.ts";
import { callRecord, type CallPatch, type CallRecord } from "../ports/call-store.ts";

export const storedCall = callRecord.extend({ targetNumber: z.string() });

/**
 * The previous release stored any identifier as a number, and requires one of whoever is called. So an identifier that is no
 * number is still stored in its place, and is told apart when it is read.
 */
export function parseCall(stored: unknown): CallRecord {
  const call = storedCall.parse(stored);
  const target = partyOfText(call.targetNumber);
  const caller = partyOfText(call.callerNumber ?? "");
  return {
    ...call,
    targetNumber: target.number,
    targetRawId: call.targetRawId ?? (target.number === undefined ? target.rawId : undefined),
    participants: call.participants.map((one) => ({ ...one, phoneNumber: readNumber(one.phoneNumber ?? "") })),
    callerNumber: caller.number,
    callerRawId: call.callerRawId ?? (caller.number === undefined ? caller.rawId : undefined),
  };
}

export function toStoredCall(call: CallRecord): Readonly<Record<string, unknown>> {
  return { ...call, targetNumber: addressOfParty({ number: call.targetNumber, rawId: call.targetRawId }) ?? "" };
}

/** The previous release does not read a call without the number that is called. */
export function toStoredPatch(patch: CallPatch): Readonly<Record<string, unknown>> {
  return "targetNumber" in patch ? { ...patch, targetNumber: patch.targetNumber ?? "" } : patch;
}
