/** Everything that the catalog's folders describe. Built once at start-up, shared by all sessions, never mutated. */
import type { Agent } from "./agent.ts";
import type { CatalogLanguage } from "./catalog-language.ts";
import type { PlainObject } from "../platform/plain-object.ts";
import type { KnowledgeSources } from "../knowledge/knowledge-source.ts";
import type { ConversationRoute } from "./conversation-routes.ts";
import type { HttpTool } from "./http-tool.ts";
import type { Scenario } from "./scenario.ts";
import type { Templates } from "./template.ts";

export interface Catalog {
  /** Keyed by lower-case name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Keyed by lower-case name. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** The table that decides with which scenario a conversation begins. */
  readonly routes: readonly ConversationRoute[];
  /** Keyed by name. */
  readonly httpTools: ReadonlyMap<string, HttpTool>;
  /** What agents may look things up in. */
  readonly knowledge: KnowledgeSources;
  /** The contents of `_defaults.yaml` and `_rules.yaml`, for agents that are created at run time. */
  readonly defaults: CatalogDefaults;
  readonly language: CatalogLanguage | undefined;
  /** Includes the language's filters. */
  readonly templates: Templates;
}

export interface CatalogDefaults {
  readonly agent: PlainObject;
  readonly rules: PlainObject;
  /** What every agent's prompt begins with, those of requests included; a template, perhaps empty. */
  readonly preamble: string;
}

export function findAgent(catalog: Catalog, name: string): Agent | undefined {
  return catalog.agents.get(name.toLowerCase());
}

export function findScenario(catalog: Catalog, name: string): Scenario | undefined {
  return catalog.scenarios.get(name.toLowerCase());
}
