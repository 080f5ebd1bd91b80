/** Whose a session is: from its record, and before there is one from who made agents and scenarios for it. */
import type { State } from "../state/ports/state.ts";
import { requireAccess, type Caller } from "./caller.ts";

type SessionState = Pick<State, "sessions" | "agents" | "scenarios">;

/** Passes where nothing of this id exists: anybody may begin a session. */
export async function requireSessionAccess(caller: Caller, sessionId: string, state: SessionState): Promise<void> {
  if (caller.isOperator) return;
  const found = await findOwned(sessionId, state);
  if (found !== undefined) requireAccess(caller, found.owner, "session");
}

async function findOwned(
  sessionId: string,
  { sessions, agents, scenarios }: SessionState,
): Promise<{ readonly owner?: string | undefined } | undefined> {
  const session = await sessions.get(sessionId);
  if (typeof session !== "string") return session;
  const [[agent], [scenario]] = await Promise.all([agents.list(sessionId), scenarios.list(sessionId)]);
  return agent ?? scenario;
}
