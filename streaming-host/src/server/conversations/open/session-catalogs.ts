/** The catalog of one session: the files, the changes made at run time, and the session's own definitions. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import { defaultScenarioOf, resolveScenario } from "@voice/shared/catalog/resolve-scenario";
import { compileSessionCatalog } from "@voice/shared/catalog/compile-session-catalog";
import { sessionStartAgent } from "@voice/shared/catalog/session-start-agent";
import { sharedSessionCatalog } from "@voice/shared/catalog/shared-session-catalog";
import { acceptDocuments } from "@voice/shared/catalog/stored-documents";
import type { AcceptedDocuments } from "@voice/shared/catalog/stored-documents";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { findScenario } from "@voice/shared/catalog/catalog";
import { inSlices } from "@voice/shared/platform/steps";
import type { Logger } from "@voice/shared/platform/logger";
import type { AgentOverride } from "@voice/shared/state/records/agent-store";
import type { SessionDocument } from "@voice/shared/state/records/session-documents";
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../../../host/host.ts";
import { createCatalogSettingsNow, type CatalogSettings } from "./catalog-settings-now.ts";
import type { SessionConfig } from "../../../transports/transport.ts";

export interface SessionCatalogSources {
  /** The current settings. */
  readonly settingsNow: () => Pick<CatalogSettings, "agentScenario">;
  readonly state: Pick<State, "agents" | "scenarios">;
  readonly catalog: Catalog;
  readonly known: KnownTools;
  readonly logger: Logger;
}

export interface ScenarioChoice {
  /** The scenario that the session had before, or its own. */
  readonly remembered?: string | undefined;
  /** The scenario that the client asks for now; it must exist. */
  readonly asked?: string | undefined;
}

/** The catalogs of a host's sessions. */
export class SessionCatalogs {
  /** The catalog of the files. */
  readonly files: Catalog;
  readonly settingsNow: () => CatalogSettings;
  readonly #sources: SessionCatalogSources;

  constructor(host: Host, files: Catalog, tools: KnownTools["tools"]) {
    const { settings, state, logger } = host;
    const known = { tools, mcpServers: settings.mcpServers.map(({ name }) => name) };
    this.files = files;
    this.settingsNow = createCatalogSettingsNow(host, files);
    this.#sources = { settingsNow: this.settingsNow, state, catalog: files, known, logger };
  }

  /** `config`: the client's configuration. */
  live(config?: SessionConfig): LiveCatalog {
    return createLiveCatalog(this.#sources, config);
  }
}

/** The catalog of one live session, and its changes while the session runs. */
export interface LiveCatalog {
  /** Rejects with `not_found` if the scenario does not exist. Costs three reads, made together. */
  compile(sessionId: string, choice: ScenarioChoice): Promise<SessionCatalog>;
  /**
   * The current catalog, or undefined if nothing has changed since it was last compiled or checked. A scenario that was
   * meanwhile created for the session becomes its scenario.
   */
  look(): Promise<SessionCatalog | undefined>;
}

interface Seen {
  readonly sessionId: string;
  readonly scenario: string;
  readonly version: string;
  readonly ownScenarios: readonly string[];
}

export function createLiveCatalog(sources: SessionCatalogSources, config?: SessionConfig): LiveCatalog {
  let seen: Seen | undefined;

  function see(sessionId: string, scenario: string, documents: Documents): void {
    const ownScenarios = documents.scenarios.map(({ name }) => name);
    seen = { sessionId, scenario, version: versionOf(documents), ownScenarios };
  }

  return {
    async compile(sessionId, choice) {
      const documents = await readDocuments(sources, sessionId);
      const accepted = await accept(sources, documents, config);
      const scenario = chooseScenario(sources, accepted, choice, config?.scenario);
      see(sessionId, scenario, documents);
      return compile(sources, { sessionId, scenario }, accepted);
    },
    async look() {
      if (seen === undefined) return undefined;
      const { sessionId, ownScenarios } = seen;
      const documents = await readDocuments(sources, sessionId);
      if (versionOf(documents) === seen.version) return undefined;
      const accepted = await accept(sources, documents, config);
      const made = accepted.scenarios.findLast(({ name }) => !ownScenarios.includes(name));
      const scenario = made?.name ?? seen.scenario;
      see(sessionId, scenario, documents); // before it is compiled, so that a catalog that cannot be compiled is reported once
      return compile(sources, { sessionId, scenario }, accepted);
    },
  };
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

/**
 * Both count their writes. A document that was deleted and created again may have the same version, but another time.
 */
function versionOf({ overrides, agents, scenarios }: Documents): string {
  const changes = overrides.map(({ agentName, version }) => `${agentName.toLowerCase()} ${version}`).toSorted();
  return JSON.stringify([
    changes,
    [agents, scenarios].map((made) => made.map((one) => [one.name, one.createdAtMs, one.version])),
  ]);
}

/**
 * A scenario in the client's `config` takes precedence over the session's own, and that over the one in the address.
 */
function chooseScenario(
  { catalog, settingsNow }: SessionCatalogSources,
  { scenarios }: AcceptedDocuments,
  choice: ScenarioChoice,
  configured: string | undefined,
) {
  const ownScenarios = new Map(scenarios.map(({ name }) => [name.toLowerCase(), name]));
  return resolveScenario(
    {
      sessionScenario: configured === undefined ? (choice.remembered ?? scenarios.at(-1)?.name) : undefined,
      queryScenario: configured ?? choice.asked,
      settingScenario: settingsNow().agentScenario ?? defaultScenarioOf(catalog),
    },
    (name) => ownScenarios.get(name.toLowerCase()) ?? findScenario(catalog, name)?.name,
  );
}

/** The client's own changes come last. A document that is no longer valid is left out. */
async function accept(
  { catalog, known, logger }: SessionCatalogSources,
  { overrides, agents, scenarios }: Documents,
  config: SessionConfig | undefined,
): Promise<AcceptedDocuments> {
  const asked = Object.entries(config?.agent_overrides ?? {});
  const changes = [...overrides, ...asked.map(([agentName, document]) => ({ agentName, document }))];
  const accepted = await inSlices(acceptDocuments({ overrides: changes, agents, scenarios }, catalog, known));
  for (const leftOut of accepted.leftOut) logger.warn({ leftOut }, "a stored document no longer passes its check");
  return accepted;
}

function compile(
  { catalog }: SessionCatalogSources,
  session: { readonly sessionId: string; readonly scenario: string },
  { overrides, agents, scenarios }: AcceptedDocuments,
): SessionCatalog {
  if (overrides.size === 0 && agents.length === 0 && scenarios.length === 0)
    return sharedSessionCatalog(catalog, session);
  const compiled = compileSessionCatalog(catalog, {
    ...session,
    overrides: Object.fromEntries(overrides),
    sessionAgents: agents,
    sessionScenarios: scenarios,
  });
  const startAgent = sessionStartAgent(compiled.scenario, { agents, scenarios });
  return { ...compiled, scenario: { ...compiled.scenario, startAgent } };
}
