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

export class ReleasedCatalogs {
  readonly #files: Catalog;
  readonly #known: KnownTools;
  readonly #store: Pick<ReleaseStore, "live" | "get">;
  readonly #logger: Logger;
  readonly #made = new Map<number, Promise<Catalog | undefined>>();

  constructor(
    files: Catalog,
    known: KnownTools,
    { store, logger }: { readonly store: Pick<ReleaseStore, "live" | "get">; readonly logger: Logger },
  ) {
    this.#files = files;
    this.#known = known;
    this.#store = store;
    this.#logger = logger;
  }

  /** `version`: the one with which the session began; if absent, that of its share. */
  async ofSession(sessionId: string, version: number | undefined): Promise<ReleasedCatalog> {
    return this.#of(version ?? releaseOfSession((await this.#store.live()).live, sessionId));
  }

  /** What most new conversations have. */
  async deployed(): Promise<ReleasedCatalog> {
    const { live } = await this.#store.live();
    const [largest] = live.toSorted((one, other) => other.share - one.share || other.version - one.version);
    return this.#of(largest?.version ?? 0);
  }

  /** A version that is lost leaves the files. */
  async #of(version: number): Promise<ReleasedCatalog> {
    if (version === 0) return { catalog: this.#files, version };
    const catalog = await this.#read(version);
    return catalog === undefined ? { catalog: this.#files, version: 0 } : { catalog, version };
  }

  #read(version: number): Promise<Catalog | undefined> {
    const known = this.#made.get(version);
    if (known !== undefined) return known;
    const made = this.#make(version);
    this.#made.set(version, made);
    // What failed is tried again by the next conversation.
    made.then(
      (catalog) => catalog === undefined && this.#made.delete(version),
      () => this.#made.delete(version),
    );
    const [oldest] = this.#made.keys();
    if (this.#made.size > keptVersions && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }

  async #make(version: number): Promise<Catalog | undefined> {
    const release = await this.#store.get(version);
    if (release === undefined) {
      this.#logger.warn({ version }, "a published version is not in the store any more");
      return undefined;
    }
    const named = (documents: typeof release.agents) =>
      Object.entries(documents).map(([name, document]) => ({ name, document }));
    const stored = { agents: named(release.agents), scenarios: named(release.scenarios) };
    const { agents, scenarios, leftOut } = await inSlices(acceptDocuments(stored, this.#files, this.#known));
    const catalog = withDocuments(this.#files, agents, scenarios);
    const table = release.routes && acceptRoutes(release.routes, catalog.scenarios);
    for (const one of [...leftOut, ...(table?.leftOut ?? [])])
      this.#logger.warn({ leftOut: one, version }, "a published document no longer passes its check");
    return table === undefined ? catalog : { ...catalog, routes: table.routes };
  }
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
