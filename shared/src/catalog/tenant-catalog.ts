/**
 * The part of the catalog that a tenant sees: scenarios for which only other tenants have a row in the table of routes are not there, nor are
 * the agents that take part in no other (TENANT-5). Pure.
 */
import type { Catalog } from "./catalog.ts";

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
