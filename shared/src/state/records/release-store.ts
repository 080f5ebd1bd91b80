/**
 * Published versions of the catalog: agents, scenarios and a table of routes that stand over those of the files, and which share of the
 * conversations has which version. A version never changes; version 0 is the files alone.
 */
import { z } from "zod";
import { dayMs } from "../../platform/day.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { readerOf, type Stored } from "../stored-json.ts";

const documents = z.record(z.string(), z.record(z.string(), z.unknown()));

const release = z.object({
  version: z.int(),
  /** The subject of who published it. */
  author: z.string(),
  note: z.string(),
  publishedAtMs: z.number(),
  /** All published documents that replace files, also those of earlier versions, keyed by name in lower case. */
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

export type ReleaseStore = ReturnType<typeof createReleaseStore>;

const filesAlone: LiveReleases = { live: [{ version: 0, share: 100 }], newest: 0, revision: 0 };

/** A service whose agents were published must not fall back to its files because nobody has published for long. */
const lifeSpanMs = 3650 * dayMs;

const readRelease = readerOf(release);
const readLive = readerOf(liveReleases);

const liveKey = "releases:live";
const keyOf = (version: number): string => `releases:version:${version}`;

export function createReleaseStore(records: KeyedRecords, clock: Clock) {
  const change = async (decide: (current: LiveReleases) => LiveReleases | undefined): Promise<LiveReleases> => {
    const text = await records.get(liveKey);
    const next = decide(readLive(text) ?? filesAlone);
    if (next === undefined) throw publishedByOthers();
    const isWritten =
      text === undefined
        ? (await records.putIfAbsent(liveKey, JSON.stringify(next), lifeSpanMs)) === undefined
        : (await records.swap(liveKey, text, JSON.stringify(next))) === "swapped";
    if (!isWritten) throw publishedByOthers();
    return next;
  };
  return {
    live: async () => readLive(await records.get(liveKey)) ?? filesAlone,
    get: async (version: number) => readRelease(await records.get(keyOf(version))),
    /** Stores the next version, and changes no conversation. Rejects with `conflict` if somebody else has just published. */
    async add(
      release: Omit<Release, "version" | "publishedAtMs">,
      { newest, revision }: LiveReleases,
    ): Promise<Release> {
      // Its number is taken first, so that one who does not get further is in nobody's way.
      const { newest: version } = await change((current) =>
        current.revision === revision && current.newest === newest ? { ...current, newest: newest + 1 } : undefined,
      );
      const added = { ...release, version, publishedAtMs: clock.wallNow() };
      const taken = await records.putIfAbsent(keyOf(added.version), JSON.stringify(added), lifeSpanMs);
      if (taken !== undefined) throw publishedByOthers();
      return added;
    },
    /** Rejects with `conflict` if what was live before is not what is stored any more. */
    setLive: (live: readonly LiveShare[], { revision }: LiveReleases) =>
      change((current) => (current.revision === revision ? { ...current, live, revision: revision + 1 } : undefined)),
  };
}

function publishedByOthers(): VoiceError {
  return new VoiceError("conflict", "somebody else has just published; read what is deployed now, and try again");
}
