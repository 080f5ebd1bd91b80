/** Finds the conversations that a list asks for. */
import { conversationOf } from "@voice/shared/calls/conversation-of-call";
import { findCallByEitherId } from "@voice/shared/calls/find-call";
import type { listSessions } from "@voice/shared/contracts/http/sessions";
import { isInListOf } from "@voice/shared/auth/tenant";
import { isInIndex } from "@voice/shared/state/ports/session-index";
import type { SessionPage, SessionQuery, SessionRecord } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import type { z } from "zod";
import { SchemaError } from "../http/validation.ts";
import { asNumber } from "./find-calls.ts";
import { rangeOf } from "./time-range.ts";

/** A caller's conversations are found through their calls; this many of the newest are looked at. */
const maxCalls = 100;

type Asked = z.output<typeof listSessions.query>;
type Stores = Pick<State, "sessions" | "calls">;

export async function findSessions(
  asked: Asked,
  owner: string | undefined,
  { sessions, calls }: Stores,
): Promise<SessionPage> {
  const { limit, page, status_filter: status, channel, search } = asked;
  const query: SessionQuery = { offset: (page - 1) * limit, limit, status, channel, owner, ...rangeOf(asked) };
  if (search === undefined) return sessions.list(query);
  const carried = await carriedBy(search, calls);
  const found = await Promise.all(carried.map((call) => conversationOf(call, sessions)));
  const wanted = found.filter((session) => session !== undefined).filter((session) => isWanted(session, query));
  return { sessions: wanted.slice(query.offset, query.offset + limit), total: wanted.length };
}

/** The archive has no indexes for filters. */
export function refuseFilters({ status_filter: status, channel, from, to, search }: Asked): void {
  if ([status, channel, from, to, search].every((filter) => filter === undefined)) return;
  throw new SchemaError([
    { loc: ["query", "archived"], msg: "Archived conversations are listed without a filter", type: "value_error" },
  ]);
}

/** Finds sessions by the number of the other side, or by the id of the conversation or of its call. */
async function carriedBy(search: string, calls: Stores["calls"]): Promise<Parameters<typeof conversationOf>[0][]> {
  const number = asNumber(search);
  if (number !== undefined) {
    const { calls: theirs } = await calls.list({ offset: 0, limit: maxCalls, number });
    return theirs.map(({ call }) => call);
  }
  return [(await findCallByEitherId(calls, search)) ?? { sessionId: search }];
}

function isWanted(session: SessionRecord, query: SessionQuery): boolean {
  const { owner, fromMs = 0, beforeMs = Number.POSITIVE_INFINITY } = query;
  const { lastActivityAtMs } = session;
  const isOwn = isInListOf(owner, session.owner);
  return isOwn && isInIndex(session, query) && lastActivityAtMs >= fromMs && session.createdAtMs < beforeMs;
}
