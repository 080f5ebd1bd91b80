/** Finds the calls that a list asks for. */
import { isInListOf } from "@voice/shared/auth/tenant";
import { findCallByEitherId } from "@voice/shared/calls/find-call";
import { callOutcomeOf } from "@voice/shared/contracts/calls/call-outcome";
import type { listCalls } from "@voice/shared/contracts/http/calls";
import { phoneNumberField } from "@voice/shared/contracts/http/fields";
import type { CallPage, CallQuery, CallRecord } from "@voice/shared/state/ports/call-store";
import type { State } from "@voice/shared/state/ports/state";
import type { z } from "zod";
import { SchemaError } from "../http/validation.ts";
import { rangeOf } from "./time-range.ts";

type Stores = Pick<State, "calls" | "sessions">;

/** Text that looks like a phone number is one; anything else is an id, which matches at most one call. */
export async function findCalls(
  asked: z.output<typeof listCalls.query>,
  owner: string | undefined,
  stores: Stores,
): Promise<CallPage> {
  const { calls } = stores;
  const { limit, page, status_filter: status, outcome, direction, search } = asked;
  if (status !== undefined && outcome !== undefined)
    throw new SchemaError([
      { loc: ["query", "outcome"], msg: "Either status_filter or outcome, not both", type: "value_error" },
    ]);
  const query = { offset: (page - 1) * limit, limit, status, outcome, direction, owner, ...rangeOf(asked) };
  if (search === undefined) return calls.list(query);
  const number = asNumber(search);
  if (number !== undefined) return calls.list({ ...query, number });
  const call = (await findCallByEitherId(calls, search)) ?? (await findCallOf(search, stores));
  if (call === undefined || !isWanted(call, query)) return { calls: [], total: 0 };
  return { calls: query.offset === 0 ? [{ call, events: await calls.events(call.callId) }] : [], total: 1 };
}

/** As people write numbers: with spaces, dashes and brackets. */
export function asNumber(text: string): string | undefined {
  const number = text.replaceAll(/[\s().-]/g, "");
  return phoneNumberField.safeParse(number).success ? number : undefined;
}

/** The call that carries a conversation, which knows the connection. */
async function findCallOf(sessionId: string, { calls, sessions }: Stores): Promise<CallRecord | undefined> {
  const session = await sessions.get(sessionId);
  if (typeof session === "string" || session.callConnectionId === undefined) return undefined;
  return calls.getByConnection(session.callConnectionId);
}

function isWanted(call: CallRecord, query: CallQuery): boolean {
  const { owner, status, outcome, direction, fromMs = 0, beforeMs = Number.POSITIVE_INFINITY } = query;
  return (
    isInListOf(owner, call.owner) &&
    (status === undefined || call.status === status) &&
    (outcome === undefined || callOutcomeOf(call) === outcome) &&
    (direction === undefined || call.direction === direction) &&
    call.createdAtMs >= fromMs &&
    call.createdAtMs < beforeMs
  );
}
