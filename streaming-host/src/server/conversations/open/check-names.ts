/** Checks that what a client names exists: its scenario, its agent and its customer profile (HS-2). */
import { findAgent } from "@voice/shared/catalog/catalog";
import { catalogOfTenant } from "@voice/shared/catalog/tenant-catalog";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import type { CustomerSource } from "@voice/shared/tools/customer";
import { noSuchAgent } from "../../../session/conversation/open-conversation.ts";
import type { CheckNames } from "../../accept/requested-names.ts";
import { noSuchProfile } from "./bound-customer.ts";
import type { SessionCatalogs } from "./session-catalogs.ts";

export function createNameCheck(
  catalogs: SessionCatalogs,
  sessions: SessionStore,
  customers: CustomerSource,
): CheckNames {
  return async ({ caller, sessionId, scenario, agent, profileId }, config) => {
    if (profileId !== undefined) {
      const found = await customers.find({ sessionId, customerId: profileId, namedBy: caller });
      if (found === undefined) throw noSuchProfile();
    }
    const changed = Object.keys(config?.agent_overrides ?? {});
    if (scenario === undefined && agent === undefined && changed.length === 0) return;
    const known = sessionId === undefined ? "unknown" : await sessions.get(sessionId);
    const { scenario: remembered, release } = typeof known === "string" ? {} : known;
    const catalog = await catalogs
      .live(config, caller?.tenant)
      .compile(sessionId ?? "", { asked: scenario, remembered, release });
    if (agent !== undefined && catalog.agent(agent) === undefined) throw noSuchAgent();
    // A client may change the agents of every scenario, whichever it is in.
    const unknown = changed.find(
      (name) =>
        catalog.agent(name) === undefined &&
        findAgent(catalogOfTenant(catalogs.files, caller?.tenant), name) === undefined,
    );
    if (unknown !== undefined) throw noAgentToChange();
  };
}

function noAgentToChange(): BadRequestError {
  return new BadRequestError("not_found", "`agent_overrides` names an agent that does not exist.", [
    { field: "agent_overrides", message: "no agent of this name", code: "not_found" },
  ]);
}
