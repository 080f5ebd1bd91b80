/** Whether what a client names exists: its scenario, its agent and its customer profile (HS-2). */
import { requireAccess } from "@voice/shared/auth/caller";
import type { State } from "@voice/shared/state/ports/state";
import { noSuchAgent } from "../../session/conversation/open-conversation.ts";
import type { ConversationRequest } from "../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../transports/transport.ts";
import { noSuchProfile } from "./bound-profile.ts";
import { createLiveCatalog } from "./session-catalogs.ts";
import type { SessionCatalogSources } from "./session-catalogs.ts";

export type RequestedNames = Pick<ConversationRequest, "caller" | "sessionId" | "scenario" | "agent" | "profileId">;

/** Rejects with a `BadRequestError` that says which of them does not exist. */
export type CheckNames = (names: RequestedNames, config?: SessionConfig) => Promise<void>;

export function createNameCheck(
  catalogs: SessionCatalogSources,
  state: Pick<State, "profiles" | "sessions">,
): CheckNames {
  return async ({ caller, sessionId, scenario, agent, profileId }, config) => {
    if (profileId !== undefined) {
      const profile = await state.profiles.get(profileId);
      if (profile === undefined) throw noSuchProfile();
      requireAccess(caller, profile.owner, "profile");
    }
    if (scenario === undefined && agent === undefined) return;
    const known = sessionId === undefined ? "unknown" : await state.sessions.get(sessionId);
    const remembered = typeof known === "string" ? undefined : known.scenario;
    const catalog = await createLiveCatalog(catalogs, config).compile(sessionId ?? "", { asked: scenario, remembered });
    if (agent !== undefined && catalog.agent(agent) === undefined) throw noSuchAgent();
  };
}
