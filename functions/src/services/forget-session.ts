/** Deletes everything that is kept of a session, also where one part of it has outlived the others or came before them. */
import type { Caller } from "@voice/shared/auth/caller";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import type { State } from "@voice/shared/state/ports/state";
import type { Dependencies } from "../dependencies.ts";
import { endLiveConversation } from "./end-live-conversation.ts";
import { findSession } from "./find-session.ts";
import { markDeletion } from "./mark-deletion.ts";
import { requireKnown } from "./require-known.ts";

/** Rejects if there is nothing, or if it is not the caller's. */
export async function forgetSession(
  sessionId: string,
  caller: Caller,
  dependencies: Pick<Dependencies, "state" | "recordings" | "archive">,
): Promise<void> {
  const { state, recordings, archive } = dependencies;
  const found = await state.sessions.get(sessionId);
  const hadDefinitions = typeof found === "string" && (await deleteDefinitions(sessionId, caller, state));
  // The session or the archive knows the owner. Only operators may delete what is left of a session that neither has.
  if (!caller.isOperator)
    try {
      await findSession(sessionId, caller, dependencies);
    } catch (error) {
      if (hadDefinitions) return;
      throw error;
    }
  if (typeof found !== "string") await markDeletion(sessionId, state.sessions);
  // Recordings and archived documents may outlive the session, and must be deleted too.
  const forgetArchived = () => archive().then((kept) => kept?.forget(sessionId));
  const [wasRecorded, wasArchived] = await Promise.all([
    recordings().then((store) => store?.deleteAll(sessionId)),
    forgetArchived(),
  ]);
  const isKept = wasRecorded === true || wasArchived === true || hadDefinitions;
  if (!isKept) requireKnown(found, "session");
  await state.sessions.delete(sessionId);
  // A conversation that ended meanwhile may have been archived and announced. From now on its host finds no session.
  const mayBeWritten = typeof found !== "string";
  await Promise.all([state.webhooks.forgetSession(sessionId), mayBeWritten ? forgetArchived() : undefined]);
  if (mayBeWritten) endLiveConversation(found, "deleted", state);
}

/** The agents and scenarios of a session that has not begun, or has expired. False if there are none. */
async function deleteDefinitions(
  sessionId: string,
  caller: Caller,
  state: Pick<State, "sessions" | "agents" | "scenarios">,
): Promise<boolean> {
  const [agents, scenarios] = await Promise.all([state.agents.list(sessionId), state.scenarios.list(sessionId)]);
  if (agents.length + scenarios.length === 0) return false;
  await requireSessionAccess(caller, sessionId, state);
  return state.sessions.delete(sessionId);
}
