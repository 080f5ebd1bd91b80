/** The catalog of one session: the files, what was changed at run time, and what the session made for itself. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-names";
import { defaultScenarioName, resolveStart } from "@voice/shared/catalog/resolve-start";
import { compileFromDocuments } from "@voice/shared/catalog/session-documents";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import type { AgentOverride } from "@voice/shared/state/ports/agent-store";
import type { SessionDocument } from "@voice/shared/state/ports/session-documents";
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

/** The catalog of one live session, and what becomes of it while the session runs. */
export interface LiveCatalog {
  /** Rejects with `not_found` for a scenario that does not exist. Costs three reads, in one go. */
  compile(sessionId: string, wish: ScenarioWish): Promise<SessionCatalog>;
  /**
   * What has become of the catalog that was compiled; undefined when nothing has changed since the last look. A scenario
   * that was made for the session meanwhile becomes its scenario.
   */
  look(): Promise<SessionCatalog | undefined>;
}

interface Seen {
  readonly sessionId: string;
  readonly scenario: string;
  readonly version: string;
  readonly ownScenarios: ReadonlySet<string>;
}

export function createLiveCatalog(sources: SessionCatalogSources, config?: SessionConfig): LiveCatalog {
  let seen: Seen | undefined;

  function see(sessionId: string, scenario: string, documents: Documents): void {
    const ownScenarios = new Set(documents.scenarios.map(({ name }) => name));
    seen = { sessionId, scenario, version: versionOf(documents), ownScenarios };
  }

  return {
    async compile(sessionId, wish) {
      const documents = await readDocuments(sources, sessionId);
      const scenario = chooseScenario(sources, documents, wish, config?.scenario);
      see(sessionId, scenario, documents);
      return compile(sources, scenario, documents, config);
    },
    async look() {
      if (seen === undefined) return undefined;
      const { sessionId, ownScenarios } = seen;
      const documents = await readDocuments(sources, sessionId);
      if (versionOf(documents) === seen.version) return undefined;
      const made = documents.scenarios.findLast(({ name }) => !ownScenarios.has(name));
      const scenario = made?.name ?? seen.scenario;
      see(sessionId, scenario, documents); // before it is compiled: what cannot be compiled is complained of once
      return compile(sources, scenario, documents, config);
    },
  };
}

/** As {@link LiveCatalog.compile}, for a session that does not run yet. */
export function compileForSession(
  sources: SessionCatalogSources,
  sessionId: string,
  wish: ScenarioWish,
  config?: SessionConfig,
): Promise<SessionCatalog> {
  return createLiveCatalog(sources, config).compile(sessionId, wish);
}

interface Documents {
  readonly overrides: readonly AgentOverride[];
  readonly agents: readonly SessionDocument[];
  readonly scenarios: readonly SessionDocument[];
}

async function readDocuments({ state }: SessionCatalogSources, sessionId: string): Promise<Documents> {
  const [overrides, agents, scenarios] = await Promise.all([
    state.agents.overrides(),
    state.agents.list(sessionId),
    state.scenarios.list(sessionId),
  ]);
  return { overrides, agents, scenarios };
}

/** Overrides count their writes; what a session made for itself is never rewritten. */
function versionOf({ overrides, agents, scenarios }: Documents): string {
  const changes = overrides.map(({ agentName, version }) => `${agentName.toLowerCase()} ${version}`).toSorted();
  return JSON.stringify([changes, [agents, scenarios].map((made) => made.map((one) => [one.name, one.createdAtMs]))]);
}

/** What the client says in so many words after connecting wins over what the session has, and that over the address. */
function chooseScenario(
  { catalog, settings }: SessionCatalogSources,
  { scenarios }: Documents,
  wish: ScenarioWish,
  configured: string | undefined,
) {
  const ownScenarios = new Map(scenarios.map(({ name }) => [name.toLowerCase(), name]));
  const { scenario } = resolveStart(
    {
      sessionScenario: configured === undefined ? (wish.remembered ?? scenarios.at(-1)?.name) : undefined,
      queryScenario: configured ?? wish.asked,
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
  return scenario;
}

function compile(
  { catalog, known }: SessionCatalogSources,
  scenario: string,
  { overrides, agents, scenarios }: Documents,
  config: SessionConfig | undefined,
): SessionCatalog {
  const asked = Object.entries(config?.agent_overrides ?? {});
  const compiled = compileFromDocuments(catalog, known, scenario, {
    overrides: [...overrides, ...asked.map(([agentName, document]) => ({ agentName, document }))],
    agents,
    scenarios,
  });
  // An agent that was made for the session begins it, unless a scenario was made for it too and says who does.
  const own = agents.at(-1);
  if (own === undefined || scenarios.some(({ name }) => name === compiled.scenario.name)) return compiled;
  return { ...compiled, scenario: { ...compiled.scenario, startAgent: own.name } };
}
