import { z } from "zod";
import { normaliseSearch } from "../../conversation/conversation-labels.ts";
import { compareRows, isBehind, matchesQuery, pageOf } from "../../conversation/conversation-row.ts";
import { conversationLifeMs } from "../conversation-life.ts";
import {
  conversationRow,
  type ConversationPage,
  type ConversationPlace,
  type ConversationQuery,
  type ConversationRow,
  type ConversationTable,
} from "../ports/conversation-table.ts";
import { jsonOf } from "../stored-json.ts";
import { everyFacet, facetsOf, isWholly, placesOf, type ConversationPlaces } from "./conversation-places.ts";
import { keepRow, putRow } from "./conversation-scripts.ts";
import { createIndexUpkeep, type IndexUpkeep } from "./index-upkeep.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** Read together: a quarter of a megabyte, parsed within milliseconds. */
const rowsPerStep = 250;
/** A page that has looked at this many rows ends, and the next one continues there. */
const maxSteps = 20;
/** A filter that matches more rows than this is applied while the rows are read, the newest first, rather than from its index. */
const maxFound = 2000;
/** Rows that have ended are removed when others are written, twice as many as enter. */
const removedWithEach = 2;
const separator = "\0";

const rowText = jsonOf(conversationRow);
const storedPlaces: z.ZodType<ConversationPlaces> = z.object({
  facets: z.array(z.string()),
  labels: z.array(z.string()),
});
const placesText = jsonOf(storedPlaces);
const nowhere: ConversationPlaces = { facets: [], labels: [] };

export class RedisConversationTable implements ConversationTable {
  readonly #options: RedisStoreOptions;
  readonly #upkeep: IndexUpkeep;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
    const { sessionMs, callMs } = options.lifeSpans;
    this.#upkeep = createIndexUpkeep(options.clock, Math.max(sessionMs, callMs));
  }

  async put(row: ConversationRow): Promise<ConversationRow | "new" | "refused"> {
    const { connections, clock, lifeSpans, keys } = this.#options;
    const { sessionId, startedAtMs, revision } = row;
    const former = await this.#places(sessionId);
    const places = placesOf(row);
    const entered = without(places.facets, former.facets);
    const left = without(former.facets, places.facets);
    const facets = [...entered, ...left];
    const nowMs = clock.wallNow();
    const endsAtMs = Math.ceil(nowMs + conversationLifeMs(row, lifeSpans, nowMs));
    const { lifeSpanMs } = this.#upkeep;
    const added = this.#entries(without(places.labels, former.labels), sessionId);
    const removed = this.#entries(without(former.labels, places.labels), sessionId);
    const before = await connections.run((redis) =>
      putRow(
        redis,
        [...this.#rowKeys(sessionId), keys.conversationLabels, ...facets.map((name) => keys.conversations(name))],
        [
          revision,
          JSON.stringify(row),
          JSON.stringify(places),
          sessionId,
          startedAtMs,
          endsAtMs,
          lifeSpanMs,
          this.#upkeep.isDue() ? nowMs - lifeSpanMs : "",
          facets.length,
          ...facets.map((name) => (entered.includes(name) ? 1 : 0)),
          added.length,
          ...added,
          ...removed,
        ],
      ),
    );
    if (before === null) return "refused";
    if (before !== "") return rowText.parse(before);
    await this.#removeEnded(removedWithEach);
    return "new";
  }

  async get(sessionId: string): Promise<ConversationRow | undefined> {
    return (await this.#read([sessionId])).at(0);
  }

  async keepAlive(sessionIds: readonly string[]): Promise<void> {
    const { connections, clock, lifeSpans } = this.#options;
    const args = [Math.ceil(clock.wallNow() + lifeSpans.sessionMs), this.#upkeep.lifeSpanMs];
    await connections.run((redis) =>
      Promise.all(sessionIds.map((id) => keepRow(redis, this.#rowKeys(id), [id, ...args]))),
    );
  }

  async remove(sessionId: string): Promise<void> {
    const { connections, keys } = this.#options;
    const { facets, labels } = await this.#places(sessionId);
    const entries = this.#entries(labels, sessionId);
    const [row, byEnd] = this.#rowKeys(sessionId);
    await connections.run((redis) =>
      Promise.all([
        redis.del(row),
        redis.zrem(byEnd, sessionId),
        ...facets.map((name) => redis.zrem(keys.conversations(name), sessionId)),
        entries.length === 0 ? undefined : redis.zrem(keys.conversationLabels, ...entries),
      ]),
    );
  }

  async list(query: ConversationQuery): Promise<ConversationPage> {
    await this.#removeEnded(rowsPerStep);
    if (query.search === undefined) return this.#walk(query);
    const wanted = { ...query, search: normaliseSearch(query.search) };
    const found = await this.#found(wanted.search);
    return found === undefined ? this.#walk(wanted) : this.#pageOfFound(found, wanted);
  }

  /** The ids that have such a label; undefined if they are too many. */
  async #found(search: string): Promise<string[] | undefined> {
    const { connections, keys } = this.#options;
    const last = `[${search}\u{10FFFF}`;
    const entries = await connections.run((redis) =>
      redis.zrangebylex(keys.conversationLabels, `[${search}`, last, "LIMIT", 0, maxFound + 1),
    );
    if (entries.length > maxFound) return undefined;
    return [...new Set(entries.map((entry) => entry.slice(entry.indexOf(separator) + 1)))];
  }

  async #pageOfFound(ids: readonly string[], query: ConversationQuery): Promise<ConversationPage> {
    const read: ConversationRow[] = [];
    for (let first = 0; first < ids.length; first += rowsPerStep)
      read.push(...(await this.#read(ids.slice(first, first + rowsPerStep))));
    return pageOf(read, query, this.#options.clock.wallNow());
  }

  /** Reads the smallest index that contains the whole list, from the end of the previous page. */
  async #walk(query: ConversationQuery): Promise<ConversationPage> {
    const { connections, keys, clock } = this.#options;
    const { limit, fromMs = 0, beforeMs, after } = query;
    const facets = facetsOf(query);
    const newest = beforeMs === undefined ? "+inf" : `(${beforeMs}`;
    const counts = await connections.run((redis) =>
      Promise.all(facets.map((name) => redis.zcount(keys.conversations(name), fromMs, newest))),
    );
    const least = Math.min(...counts);
    const smallest = keys.conversations(facets[counts.indexOf(least)] ?? everyFacet);
    const total = isWholly({ facets, query }) ? least : undefined;
    const nowMs = clock.wallNow();
    const rows: ConversationRow[] = [];
    let place: ConversationPlace | undefined = after;
    for (let step = 0; step < maxSteps; step += 1) {
      const ids = await this.#idsBehind(smallest, place, { fromMs, newest });
      const found = (await this.#read(ids.map(({ sessionId }) => sessionId))).toSorted(compareRows);
      for (const row of found.filter((one) => matchesQuery(one, query, nowMs))) {
        if (rows.length === limit) return { rows, next: rows.at(-1), total };
        rows.push(row);
      }
      place = ids.at(-1);
      if (ids.length < rowsPerStep) return { rows, total };
    }
    return { rows, next: place, total };
  }

  async #idsBehind(
    key: string,
    place: ConversationPlace | undefined,
    { fromMs, newest }: { readonly fromMs: number; readonly newest: string },
  ): Promise<ConversationPlace[]> {
    const from = place === undefined ? newest : `${place.startedAtMs}`;
    /** Some may have begun in the same millisecond as the place, and stand before it. */
    for (let skipped = 0; ; skipped += rowsPerStep) {
      const flat = await this.#options.connections.run((redis) =>
        redis.zrevrangebyscore(key, from, fromMs, "WITHSCORES", "LIMIT", skipped, 2 * rowsPerStep),
      );
      const all = flat.flatMap((sessionId, at) =>
        at % 2 === 0 ? [{ sessionId, startedAtMs: Number(flat[at + 1]) }] : [],
      );
      const behind = place === undefined ? all : all.filter((one) => isBehind(one, place));
      if (behind.length > 0 || all.length < 2 * rowsPerStep) return behind.slice(0, rowsPerStep);
    }
  }

  async #read(sessionIds: readonly string[]): Promise<ConversationRow[]> {
    const { connections, clock } = this.#options;
    if (sessionIds.length === 0) return [];
    const read = await connections.run((redis) =>
      Promise.all(sessionIds.map((id) => redis.hmget(this.#rowKeys(id)[0], "row", "endsAtMs"))),
    );
    const nowMs = clock.wallNow();
    return read.flatMap(([row, endsAtMs]) =>
      row === null || row === undefined || Number(endsAtMs) <= nowMs ? [] : [rowText.parse(row)],
    );
  }

  async #removeEnded(limit: number): Promise<void> {
    const { connections, keys, clock } = this.#options;
    const ended = await connections.run((redis) =>
      redis.zrangebyscore(keys.conversationsByEnd, "-inf", clock.wallNow(), "LIMIT", 0, limit),
    );
    await Promise.all(ended.map((sessionId) => this.remove(sessionId)));
  }

  async #places(sessionId: string): Promise<ConversationPlaces> {
    const text = await this.#options.connections.run((redis) => redis.hget(this.#rowKeys(sessionId)[0], "places"));
    return text === null ? nowhere : placesText.parse(text);
  }

  #entries(labels: readonly string[], sessionId: string): string[] {
    return labels.map((label) => `${label}${separator}${sessionId}`);
  }

  #rowKeys(sessionId: string): [row: string, byEnd: string] {
    const { keys } = this.#options;
    return [keys.conversation(sessionId), keys.conversationsByEnd];
  }
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}
