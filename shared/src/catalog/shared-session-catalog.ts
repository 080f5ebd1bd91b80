/**
 * The catalog of a session that changes nothing in it: compiled once for all sessions with the same scenario and the same prompts. When it
 * was compiled for each session, its agents, handoff tools and their schemas were a sixth of the memory of a session.
 */
import { RecentlyUsed } from "../platform/recently-used.ts";
import type { Catalog } from "./catalog.ts";
import { compileSessionCatalog } from "./compile-session-catalog.ts";
import { withPromptOfSession } from "./prompt-versions.ts";
import type { SessionCatalog } from "./session-catalog.ts";

/** Scenarios are few; prompts side by side multiply them. */
const keptCatalogs = 200;
const compiled = new WeakMap<Catalog, RecentlyUsed<SessionCatalog>>();

/** Throws as `compileSessionCatalog` does. */
export function sharedSessionCatalog(
  catalog: Catalog,
  { sessionId, scenario }: { readonly sessionId: string; readonly scenario: string },
): SessionCatalog {
  const ofCatalog = compiled.get(catalog) ?? new RecentlyUsed<SessionCatalog>(keptCatalogs);
  compiled.set(catalog, ofCatalog);
  const name = scenario.toLowerCase();
  const versions = catalog.scenarios.get(name)?.agents.map((agentName) => {
    const agent = catalog.agents.get(agentName.toLowerCase());
    return agent === undefined ? "" : (withPromptOfSession(agent, sessionId).promptVersion ?? "");
  });
  const key = JSON.stringify([name, versions]);
  const known = ofCatalog.get(key);
  if (known !== undefined) return known;
  const made = compileSessionCatalog(catalog, { sessionId, scenario });
  ofCatalog.set(key, made, 1);
  return made;
}
