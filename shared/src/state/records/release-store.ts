/**
 * Published versions of the catalog: agents, scenarios and a table of routes that stand over those of the files, and which share of the
 * conversations has which version. A version never changes; version 0 is the files alone.
 */
import { z } from "zod";
import { dayMs } from "../../platform/day.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { jsonOf, type Stored } from "../stored-json.ts";

const documents = z.record(z.string(), z.record(z.string(), z.unknown()));

const release = z.object({
  version: z.int(),
  /** The subject of who published it. */
  author: z.string(),
  note: z.string(),
  publishedAtMs: z.number(),
  /** By name in lower case: all that stand over the files, also those of versions before. */
  agents: documents,
  scenarios: documents,
  /** The rows of the table, as in routes.yaml; absent where the files' table counts. */
  routes: z.array(z.record(z.string(), z.unknown())).optional(),
});
export type Release = Stored<typeof release>;

/** `share`: percent of new conversations. Together they are 100. */
const liveShare = z.object({ version: z.int(), share: z.number() });
export type LiveShare = Stored<typeof liveShare>;

const liveReleases = z.object({
  live: z.array(liveShare),
  /** The number given last; 0 where none was. A version whose publication was not finished has one too. */
  newest: z.int(),
  /** Grows whenever the shares are set; the compare in compare-and-set. */
  revision: z.int(),
});
export type LiveReleases = Stored<typeof liveReleases>;

export interface ReleaseStore {
  live(): Promise<LiveReleases>;
  get(version: number): Promise<Release | undefined>;
  /** Stores the next version, and changes no conversation. Rejects with `conflict` if somebody else has just published. */
  add(release: Omit<Release, "version" | "publishedAtMs">, before: LiveReleases): Promise<Release>;
  /** Rejects with `conflict` if `before` is not what is stored any more. */
  setLive(live: readonly LiveShare[], before: LiveReleases): Promise<LiveReleases>;
}

const filesAlone: LiveReleases = { live: [{ version: 0, share: 100 }], newest: 0, revision: 0 };

/** A service whose agents were published must not fall back to its files because nobody has published for long. */
const lifeSpanMs = 3650 * dayMs;

const storedRelease = jsonOf(release);
const storedLive = jsonOf(liveReleases);

const liveKey = "releases:live";
const keyOf = (version: number): string => `releases:version:${version}`;

export function createReleaseStore(records: KeyedRecords, clock: Clock): ReleaseStore {
  const change = async (decide: (current: LiveReleases) => LiveReleases | undefined): Promise<LiveReleases> => {
    const text = await records.get(liveKey);
    const next = decide(liveOf(text));
    if (next === undefined) throw publishedByOthers();
    const isWritten =
      text === undefined
        ? (await records.putIfAbsent(liveKey, JSON.stringify(next), lifeSpanMs)) === undefined
        : (await records.swap(liveKey, text, JSON.stringify(next))) === "swapped";
    if (!isWritten) throw publishedByOthers();
    return next;
  };
  return {
    live: async () => liveOf(await records.get(liveKey)),
    async get(version) {
      const text = await records.get(keyOf(version));
      return text === undefined ? undefined : storedRelease.parse(text);
    },
    async add(release, { newest, revision }) {
      // Its number is taken first, so that one who does not get further is in nobody's way.
      const { newest: version } = await change((current) =>
        current.revision === revision && current.newest === newest ? { ...current, newest: newest + 1 } : undefined,
      );
      const added = { ...release, version, publishedAtMs: clock.wallNow() };
      const taken = await records.putIfAbsent(keyOf(added.version), JSON.stringify(added), lifeSpanMs);
      if (taken !== undefined) throw publishedByOthers();
      return added;
    },
    setLive: (live, { revision }) =>
      change((current) => (current.revision === revision ? { ...current, live, revision: revision + 1 } : undefined)),
  };
}

function liveOf(text: string | undefined): LiveReleases {
  return text === undefined ? filesAlone : storedLive.parse(text);
}

function publishedByOthers(): VoiceError {
  return new VoiceError("conflict", "somebody else has just published; read what is deployed now, and try again");
}
