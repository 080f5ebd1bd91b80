/**
 * The part of the catalog that a tenant sees: scenarios for which only other tenants have a row in the table of routes are not there, nor are
 * the agents that take part in no other (TENANT-5), and the tools that no other agent has (TENANT-7). Pure.
 */
import { builtInTools } from "../tools/built-in-tools.ts";
import type { Catalog } from "./catalog.ts";
import type { KnownTools } from "./known-tools.ts";

/** Sessions share what is compiled of a catalog, so each tenant's is one value for as long as its whole is. */
const made = new WeakMap<Catalog, Map<string, Catalog>>();

export function catalogOfTenant(catalog: Catalog, tenant: string | undefined): Catalog {
  if (tenant === undefined || catalog.routes.every((route) => route.tenant === undefined)) return catalog;
  const ofTenants = made.get(catalog) ?? new Map<string, Catalog>();
  made.set(catalog, ofTenants);
  const known = ofTenants.get(tenant) ?? restricted(catalog, tenant);
  ofTenants.set(tenant, known);
  return known;
}

/** What was checked against tools is remembered with them, so a tenant's are one value, too. */
const madeTools = new WeakMap<Catalog, WeakMap<KnownTools, KnownTools>>();

/** The tools that are listed by agents which the tenant sees, and those that no agent lists. */
export function toolsOfTenant(known: KnownTools, catalog: Catalog, tenant: string | undefined): KnownTools {
  const seen = catalogOfTenant(catalog, tenant);
  if (seen === catalog) return known;
  const ofTools = madeTools.get(seen) ?? new WeakMap<KnownTools, KnownTools>();
  madeTools.set(seen, ofTools);
  const tools = ofTools.get(known) ?? restrictedTools(known, { all: listedIn(catalog), theirs: listedIn(seen) });
  ofTools.set(known, tools);
  return tools;
}

function listedIn({ agents }: Catalog): readonly string[] {
  return [...agents.values()].flatMap(({ tools }) => tools);
}

function restrictedTools(
  { tools, mcpServers }: KnownTools,
  { all, theirs }: { readonly all: readonly string[]; readonly theirs: readonly string[] },
): KnownTools {
  const isTheirs = (isMeant: (listed: string) => boolean): boolean => theirs.some(isMeant) || !all.some(isMeant);
  return {
    tools: new Map([...tools].filter(([name]) => builtInTools.has(name) || isTheirs((listed) => listed === name))),
    mcpServers: mcpServers.filter((server) => isTheirs((listed) => listed.startsWith(`${server}_`))),
  };
}

function restricted(catalog: Catalog, tenant: string): Catalog {
  const rowsOf = Map.groupBy(
    catalog.routes.flatMap((route) => scenariosOf(route).map((name) => [name.toLowerCase(), route.tenant] as const)),
    ([name]) => name,
  );
  const isTheirs = (name: string): boolean => {
    const rows = rowsOf.get(name) ?? [];
    return rows.length === 0 || rows.some(([, owner]) => owner === undefined || owner === tenant);
  };
  const scenarios = new Map([...catalog.scenarios].filter(([name]) => isTheirs(name)));
  const partOf = (all: Iterable<{ readonly agents: readonly string[] }>) =>
    new Set([...all].flatMap(({ agents }) => agents.map((agent) => agent.toLowerCase())));
  const [taken, theirs] = [partOf(catalog.scenarios.values()), partOf(scenarios.values())];
  const agents = new Map([...catalog.agents].filter(([name]) => theirs.has(name) || !taken.has(name)));
  const routes = catalog.routes.filter((route) => route.tenant === undefined || route.tenant === tenant);
  return { ...catalog, agents, scenarios, routes };
}

function scenariosOf({ scenario, closed }: Catalog["routes"][number]): readonly string[] {
  return closed !== undefined && "scenario" in closed ? [scenario, closed.scenario] : [scenario];
}
