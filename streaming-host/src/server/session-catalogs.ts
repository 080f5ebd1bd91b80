/** The catalog of one session: the files, what was changed at run time, and what the session made for itself. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-names";
import { defaultScenarioName, resolveStart } from "@voice/shared/catalog/resolve-start";
import { compileFromDocuments } from "@voice/shared/catalog/session-documents";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import type { State } from "@voice/shared/state/ports/state";
import type { SessionConfig } from "../transports/transport.ts";

export interface SessionCatalogSources {
  readonly settings: Settings;
  readonly state: Pick<State, "agents" | "scenarios">;
  readonly catalog: Catalog;
  readonly known: KnownTools;
}

export interface ScenarioWish {
  /** What the session was in before, or made for itself. */
  readonly remembered?: string | undefined;
  /** What the client asks for now; must exist. */
  readonly asked?: string | undefined;
}

/** Rejects with `not_found` for a scenario that does not exist. Costs three reads, in one go. */
export async function compileForSession(
  sources: SessionCatalogSources,
  sessionId: string,
  wish: ScenarioWish,
  config: SessionConfig | undefined,
): Promise<SessionCatalog> {
  const { state, catalog, known, settings } = sources;
  const [overrides, agents, scenarios] = await Promise.all([
    state.agents.overrides(),
    state.agents.list(sessionId),
    state.scenarios.list(sessionId),
  ]);
  const ownScenarios = new Map(scenarios.map(({ name }) => [name.toLowerCase(), name]));
  const { scenario } = resolveStart(
    {
      sessionScenario: wish.asked === undefined ? (wish.remembered ?? scenarios.at(-1)?.name) : undefined,
      queryScenario: wish.asked,
      settingScenario: settings.agentScenario ?? defaultScenarioName,
    },
    {
      scenario(name) {
        const own = ownScenarios.get(name.toLowerCase());
        return own === undefined ? findScenario(catalog, name) : { name: own, startAgent: "" };
      },
      agent: () => undefined,
    },
  );
  const asked = Object.entries(config?.agent_overrides ?? {});
  return compileFromDocuments(catalog, known, scenario, {
    overrides: [...overrides, ...asked.map(([agentName, document]) => ({ agentName, document }))],
    agents,
    scenarios,
  });
}
