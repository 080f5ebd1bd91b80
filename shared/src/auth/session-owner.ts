/** Determines a session's owner: from its record or, before there is one, from the agents and scenarios made for it. */
import type { State } from "../state/ports/state.ts";
import { isServiceOperator, requireAccess, type Caller } from "./caller.ts";

type SessionState = Pick<State, "sessions" | "agents" | "scenarios">;

/** Passes if nothing exists under this id, because anybody may start a session. */
export async function requireSessionAccess(caller: Caller, sessionId: string, state: SessionState): Promise<void> {
  if (isServiceOperator(caller)) return;
  const found = await findOwned(sessionId, state);
  if (found !== undefined) requireAccess(caller, found.owner, "session");
}

async function findOwned(
  sessionId: string,
  { sessions, agents, scenarios }: SessionState,
): Promise<{ readonly owner?: string | undefined } | undefined> {
  const session = await sessions.get(sessionId);
  return typeof session === "string" ? findMaker(sessionId, { agents, scenarios }) : session;
}

/** The subject for whom agents and scenarios were created before the session started; undefined if there are none. */
export async function findMaker(
  sessionId: string,
  { agents, scenarios }: Pick<SessionState, "agents" | "scenarios">,
): Promise<{ readonly owner?: string | undefined } | undefined> {
  const [[agent], [scenario]] = await Promise.all([agents.list(sessionId), scenarios.list(sessionId)]);
  return agent ?? scenario;
}
