/** The catalog of one session: the files, the changes made at run time, and the session's own definitions. */
import { readOwner, tenantOwner } from "@voice/shared/auth/tenant";
import type { Agent } from "@voice/shared/catalog/agent";
import { findAgent, findScenario } from "@voice/shared/catalog/catalog";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import { defaultScenarioOf, resolveScenario } from "@voice/shared/catalog/resolve-scenario";
import { compileSessionCatalog } from "@voice/shared/catalog/compile-session-catalog";
import { ReleasedCatalogs } from "@voice/shared/catalog/released-catalogs";
import type { ReleasedCatalog } from "@voice/shared/catalog/released-catalogs";
import { sessionStartAgent } from "@voice/shared/catalog/session-start-agent";
import { sharedSessionCatalog } from "@voice/shared/catalog/shared-session-catalog";
import { catalogOfTenant } from "@voice/shared/catalog/tenant-catalog";
import { acceptDocuments } from "@voice/shared/catalog/stored-documents";
import type { AcceptedDocuments } from "@voice/shared/catalog/stored-documents";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { createId } from "@voice/shared/platform/ids";
import { inSlices } from "@voice/shared/platform/steps";
import type { Logger } from "@voice/shared/platform/logger";
import type { AgentOverride } from "@voice/shared/state/records/agent-store";
import type { SessionDocument } from "@voice/shared/state/records/session-documents";
import type { State } from "@voice/shared/state/ports/state";
import type { Host } from "../../../host/host.ts";
import { createCatalogSettingsNow } from "./catalog-settings-now.ts";
import type { CatalogSettings } from "./catalog-settings-now.ts";
import type { ConversationRequest, RoutedConversation } from "../../../session/conversation/open-conversation.ts";
import type { SessionConfig } from "../../../transports/transport.ts";
import { routeOf } from "@voice/shared/catalog/conversation-routes";

export interface SessionCatalogSources {
  /** The current settings. */
  readonly settingsNow: () => Pick<CatalogSettings, "agentScenario">;
  readonly state: Pick<State, "agents" | "scenarios">;
  readonly releases: ReleasedCatalogs;
  readonly known: KnownTools;
  readonly logger: Logger;
}

export interface ScenarioChoice {
  /** The scenario that the session had before, or its own. */
  readonly remembered?: string | undefined;
  /** The scenario that the client asks for now; it must exist. */
  readonly asked?: string | undefined;
  /** The published version with which the session began. */
  readonly release?: number | undefined;
}

/** The catalogs of a host's sessions. */
export class SessionCatalogs {
  readonly files: Catalog;
  readonly settingsNow: () => CatalogSettings;
  readonly #sources: SessionCatalogSources;
  readonly #now: () => { readonly wallMs: number; readonly timeZone: string };

  constructor(host: Host, files: Catalog, tools: KnownTools["tools"]) {
    const { settings, settingsNow, state, clock, logger } = host;
    this.#now = () => ({ wallMs: clock.wallNow(), timeZone: settingsNow().timeZone });
    const known = { tools, mcpServers: settings.mcpServers.map(({ name }) => name) };
    this.files = files;
    this.settingsNow = createCatalogSettingsNow(host, files);
    const releases = new ReleasedCatalogs(files, known, { store: state.releases, logger });
    this.#sources = { settingsNow: this.settingsNow, state, releases, known, logger };
  }

  /**
   * What a conversation that is opened now has of the catalog, and by the table of routes: both of the same published version. The version
   * of a phone call was decided when it rang.
   */
  async enter({
    request: asked,
    config,
  }: {
    readonly request: ConversationRequest;
    readonly config?: SessionConfig | undefined;
  }) {
    const { catalog, version: release } =
      asked.channel === "phone"
        ? { catalog: this.files, version: asked.release }
        : await this.#sources.releases.ofSession(asked.sessionId ?? createId("session"), undefined);
    const routed = routedConversation(asked, catalog, this.#now());
    const request = { ...withTenant(asked, routed?.tenant), routed, release };
    return { request, catalog: this.live(config, readOwner(request.owner).tenant) };
  }

  /** An agent as the deployed release has it, with which most new conversations begin. */
  async deployedAgent(name: string): Promise<Agent | undefined> {
    return findAgent((await this.#sources.releases.deployed()).catalog, name);
  }

  /** `config`: the client's configuration. `tenant`: whose session it is (TENANT-5). */
  live(config?: SessionConfig, tenant?: string): LiveCatalog {
    return new LiveCatalog(this.#sources, config, tenant);
  }
}

interface Seen {
  readonly sessionId: string;
  readonly scenario: string;
  readonly version: string;
  readonly ownScenarios: readonly string[];
}

/** The catalog of one live session, and its changes while the session runs. */
export class LiveCatalog {
  readonly #sources: SessionCatalogSources;
  readonly #config: SessionConfig | undefined;
  readonly #tenant: string | undefined;
  #seen: Seen | undefined;
  /** What stands under the session's own documents; set by `compile`. */
  #base: ReleasedCatalog | undefined;

  constructor(sources: SessionCatalogSources, config?: SessionConfig, tenant?: string) {
    this.#sources = sources;
    this.#config = config;
    this.#tenant = tenant;
  }

  /** Rejects with `not_found` if the scenario does not exist. Costs four reads at most, made together. */
  async compile(sessionId: string, choice: ScenarioChoice): Promise<SessionCatalog> {
    const [documents, released] = await Promise.all([
      this.#read(sessionId),
      this.#sources.releases.ofSession(sessionId, choice.release),
    ]);
    const base = { ...released, catalog: catalogOfTenant(released.catalog, this.#tenant) };
    this.#base = base;
    const accepted = await this.#accept(documents, base);
    const scenario = this.#chooseScenario(accepted, choice, base);
    this.#see(sessionId, scenario, documents);
    return this.#compile({ sessionId, scenario }, accepted, base);
  }

  /**
   * The current catalog, or undefined if nothing has changed since it was last compiled or checked. A scenario that was
   * meanwhile created for the session becomes its scenario.
   */
  async look(): Promise<SessionCatalog | undefined> {
    const base = this.#base;
    if (this.#seen === undefined || base === undefined) return undefined;
    const { sessionId, ownScenarios, version, scenario: before } = this.#seen;
    const documents = await this.#read(sessionId);
    if (versionOf(documents) === version) return undefined;
    const accepted = await this.#accept(documents, base);
    const made = accepted.scenarios.findLast(({ name }) => !ownScenarios.includes(name));
    const scenario = made?.name ?? before;
    this.#see(sessionId, scenario, documents); // before it is compiled, so that a catalog that cannot be compiled is reported once
    return this.#compile({ sessionId, scenario }, accepted, base);
  }

  #see(sessionId: string, scenario: string, documents: Documents): void {
    const ownScenarios = documents.scenarios.map(({ name }) => name);
    this.#seen = { sessionId, scenario, version: versionOf(documents), ownScenarios };
  }

  async #read(sessionId: string): Promise<Documents> {
    const { state } = this.#sources;
    const [overrides, agents, scenarios] = await Promise.all([
      state.agents.overrides(),
      state.agents.list(sessionId),
      state.scenarios.list(sessionId),
    ]);
    return { overrides, agents, scenarios };
  }

  /** The client's own changes come last. A document that is no longer valid is left out. */
  async #accept({ overrides, agents, scenarios }: Documents, { catalog }: ReleasedCatalog): Promise<AcceptedDocuments> {
    const { known, logger } = this.#sources;
    const asked = Object.entries(this.#config?.agent_overrides ?? {});
    const changes = [...overrides, ...asked.map(([agentName, document]) => ({ agentName, document }))];
    const accepted = await inSlices(acceptDocuments({ overrides: changes, agents, scenarios }, catalog, known));
    for (const leftOut of accepted.leftOut) logger.warn({ leftOut }, "a stored document no longer passes its check");
    return accepted;
  }

  /**
   * A scenario in the client's `config` takes precedence over the session's own, and that over the one in the address.
   */
  #chooseScenario({ scenarios }: AcceptedDocuments, choice: ScenarioChoice, { catalog }: ReleasedCatalog): string {
    const { settingsNow } = this.#sources;
    const configured = this.#config?.scenario;
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

  #compile(
    session: { readonly sessionId: string; readonly scenario: string },
    { overrides, agents, scenarios }: AcceptedDocuments,
    { catalog, version: release }: ReleasedCatalog,
  ): SessionCatalog {
    if (overrides.size === 0 && agents.length === 0 && scenarios.length === 0) {
      const shared = sharedSessionCatalog(catalog, session);
      return release === 0 ? shared : { ...shared, release };
    }
    const compiled = compileSessionCatalog(catalog, {
      ...session,
      overrides: Object.fromEntries(overrides),
      sessionAgents: agents,
      sessionScenarios: scenarios,
    });
    const startAgent = sessionStartAgent(compiled.scenario, { agents, scenarios });
    return { ...compiled, release, scenario: { ...compiled.scenario, startAgent } };
  }
}

interface Documents {
  readonly overrides: readonly AgentOverride[];
  readonly agents: readonly SessionDocument[];
  readonly scenarios: readonly SessionDocument[];
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
 * What the table of routes has for a conversation that begins now (ROUTE in docs/agents.md). A phone call's row was
 * looked up when it rang, and an outbound call has none.
 */
function routedConversation(
  { channel, called, owner }: Pick<ConversationRequest, "channel" | "called" | "owner">,
  { routes }: Pick<Catalog, "routes">,
  now: { readonly wallMs: number; readonly timeZone: string },
): RoutedConversation | undefined {
  if (channel === "phone" || routes.length === 0) return undefined;
  const { tenant } = readOwner(owner);
  const found = routeOf(routes, { channel, called, tenant }, now);
  // A sentence alone is only said on the phone.
  const target = found?.target ?? found?.route;
  if (found === undefined || target === undefined) return undefined;
  const { language, timeZone } = found.route;
  return { scenario: target.scenario, agent: target.agent, language, timeZone, tenant: found.route.tenant };
}

/** TENANT-3. What nobody owns belongs to the tenant of the number that was called. */
function withTenant(request: ConversationRequest, tenant: string | undefined): ConversationRequest {
  if (request.owner !== undefined || tenant === undefined) return request;
  return { ...request, owner: tenantOwner(tenant) };
}
