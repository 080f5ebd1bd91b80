/**
 * Replaces a conversation with a fresh one: a new id and cleared state, but the same scenario and session-scoped
 * agents.
 */
import { memoryOfUserEmail } from "@voice/shared/conversation/user-email";
import { createId } from "@voice/shared/platform/ids";
import { copyDefinitions } from "@voice/shared/state/copy-definitions";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { Dependencies } from "../dependencies.ts";
import { findBeginning } from "./scenario-catalog.ts";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import { requireKnown } from "./require-known.ts";

export async function startAfresh(previous: SessionRecord, dependencies: Dependencies): Promise<SessionRecord> {
  const { clock, state } = dependencies;
  const beginning = await findBeginning(previous.scenario, previous.sessionId, dependencies);
  const fresh = await state.sessions.create({
    sessionId: createId("session"),
    owner: previous.owner,
    channel: previous.channel,
    streamingMode: previous.streamingMode,
    scenario: previous.scenario,
    activeAgent: beginning?.startAgent ?? previous.activeAgent,
    visitedAgents: [],
    status: "active",
    profileId: previous.profileId,
    userEmail: previous.userEmail,
    memory: memoryOfUserEmail(previous.userEmail, {}),
    createdAtMs: clock.wallNow(),
  });
  // The scenario may be scoped to the old session.
  await copyDefinitions(state, previous.sessionId, fresh);
  await updateWithRetry({
    read: async () => requireKnown(await state.sessions.get(previous.sessionId), "session"),
    decide: ({ status }) => (status === "ended" ? undefined : { status: "ended" as const }),
    write: async ({ version }, patch) => state.sessions.update(previous.sessionId, version, patch),
  });
  return fresh;
}
