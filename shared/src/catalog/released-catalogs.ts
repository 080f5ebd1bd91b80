/** The catalog of the files with a published version over it. The files stay the base: what a version does not have comes from them. */
import { inSlices } from "../platform/steps.ts";
import type { Logger } from "../platform/logger.ts";
import type { LiveShare, ReleaseStore } from "../state/records/release-store.ts";
import type { Agent } from "./agent.ts";
import type { Catalog } from "./catalog.ts";
import type { KnownTools } from "./known-tools.ts";
import { percentOf } from "./prompt-versions.ts";
import { acceptRoutes } from "./published-routes.ts";
import type { Scenario } from "./scenario.ts";
import { acceptDocuments } from "./stored-documents.ts";

/** Versions that conversations still have; each is a few hundred kilobytes. */
const keptVersions = 20;

export interface ReleasedCatalog {
  readonly catalog: Catalog;
  readonly version: number;
}

export type ReleasedCatalogs = ReturnType<typeof createReleasedCatalogs>;

export function createReleasedCatalogs(
  files: Catalog,
  known: KnownTools,
  { store, logger }: { readonly store: Pick<ReleaseStore, "live" | "get">; readonly logger: Logger },
) {
  const made = new Map<number, Promise<Catalog | undefined>>();

  async function make(version: number): Promise<Catalog | undefined> {
    const release = await store.get(version);
    if (release === undefined) {
      logger.warn({ version }, "a published version is not in the store any more");
      return undefined;
    }
    const named = (documents: typeof release.agents) =>
      Object.entries(documents).map(([name, document]) => ({ name, document }));
    const stored = { agents: named(release.agents), scenarios: named(release.scenarios) };
    const { agents, scenarios, leftOut } = await inSlices(acceptDocuments(stored, files, known));
    const catalog = withDocuments(files, agents, scenarios);
    const table = release.routes && acceptRoutes(release.routes, catalog.scenarios);
    for (const one of [...leftOut, ...(table?.leftOut ?? [])])
      logger.warn({ leftOut: one, version }, "a published document no longer passes its check");
    return table === undefined ? catalog : { ...catalog, routes: table.routes };
  }

  function read(version: number): Promise<Catalog | undefined> {
    const before = made.get(version);
    if (before !== undefined) return before;
    const making = make(version);
    made.set(version, making);
    // What failed is tried again by the next conversation.
    making.then(
      (catalog) => catalog === undefined && made.delete(version),
      () => made.delete(version),
    );
    const [oldest] = made.keys();
    if (made.size > keptVersions && oldest !== undefined) made.delete(oldest);
    return making;
  }

  /** A version that is lost leaves the files. */
  async function catalogOf(version: number): Promise<ReleasedCatalog> {
    const catalog = version === 0 ? undefined : await read(version);
    return catalog === undefined ? { catalog: files, version: 0 } : { catalog, version };
  }

  return {
    /** `version`: the one with which the session began; if absent, that of its share. */
    ofSession: async (sessionId: string, version: number | undefined): Promise<ReleasedCatalog> =>
      catalogOf(version ?? releaseOfSession((await store.live()).live, sessionId)),
    /** What most new conversations have. */
    async deployed(): Promise<ReleasedCatalog> {
      const { live } = await store.live();
      const [largest] = live.toSorted((one, other) => other.share - one.share || other.version - one.version);
      return catalogOf(largest?.version ?? 0);
    },
  };
}

/** The catalog with these in place of its own of the same names. */
export function withDocuments(catalog: Catalog, agents: readonly Agent[], scenarios: readonly Scenario[]): Catalog {
  const named = <One extends { readonly name: string }>(all: readonly One[]) =>
    all.map((one) => [one.name.toLowerCase(), one] as const);
  return {
    ...catalog,
    agents: new Map([...catalog.agents, ...named(agents)]),
    scenarios: new Map([...catalog.scenarios, ...named(scenarios)]),
  };
}

/** The same on every host, since it follows from the session's id. */
export function releaseOfSession(live: readonly LiveShare[], sessionId: string): number {
  const at = percentOf(`${sessionId} release`);
  let end = 0;
  for (const { version, share } of live) {
    end += share;
    if (at < end) return version;
  }
  return live.at(-1)?.version ?? 0;
}
