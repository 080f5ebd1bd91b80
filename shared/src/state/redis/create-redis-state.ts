/** Keeps the whole state in Redis, for any number of processes. */
import type { Settings } from "../../config/settings.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { defaultRetryPolicy } from "../event-worker.ts";
import { defaultLifeSpans } from "../life-spans.ts";
import type { LifeSpans } from "../life-spans.ts";
import type { State } from "../ports/state.ts";
import type { Deadlines } from "../ports/work-queue.ts";
import { createRecordStores } from "../records/record-stores.ts";
import type { AnnounceChange } from "../records/session-documents.ts";
import { createRedisAuditStore } from "./audit-store.ts";
import { createRedisBroadcasts } from "./broadcasts.ts";
import { createRedisCallOperations } from "./call-operations.ts";
import { createRedisCallStore } from "./call-store.ts";
import { openRedisConnections } from "./connection.ts";
import type { RedisConnections } from "./connection.ts";
import { RedisConversationTable } from "./conversation-table.ts";
import { toCacheEndpoint } from "./endpoint.ts";
import type { CacheEndpoint } from "./endpoint.ts";
import type { TokenCredential } from "./entra-token.ts";
import { createRedisEventBus } from "./event-bus.ts";
import { createRedisHolders } from "./holders.ts";
import { createRedisHostRegistry } from "./host-registry.ts";
import { createRedisHourlyCounts } from "./hourly-counts.ts";
import { createCacheProbe } from "./cache-probe.ts";
import { createKeys, defaultKeyPrefix } from "./keys.ts";
import type { Keys } from "./keys.ts";
import { createRedisKeyedRecords } from "./keyed-records.ts";
import { createRedisLiveUpdates } from "./live-updates.ts";
import { createRedisMediaSessionStore } from "./media-session-store.ts";
import { PubSub } from "./pub-sub.ts";
import { createRedisRecordGroups } from "./record-groups.ts";
import { sessionLife } from "./session-life.ts";
import { createRedisSessionLog } from "./session-log.ts";
import { createRedisSessionStore } from "./session-store.ts";
import { createRedisToldChanges } from "./told-changes.ts";
import { createRedisWorkQueue } from "./work-queue.ts";
import { z } from "zod";
import { defineScript } from "./script.ts";

export interface RedisStateOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For Entra authentication: needed when CACHE_USERNAME is set and CACHE_PASSWORD is not. */
  readonly credential?: TokenCredential;
  /** The usual ones where absent. */
  readonly lifeSpans?: LifeSpans;
}

const defaultTuning = {
  keyPrefix: defaultKeyPrefix,
  lifeSpans: defaultLifeSpans,
  retry: defaultRetryPolicy,
  /** After this long without a sign of life, an event in progress is given to another consumer. */
  reclaimAfterMs: 6000,
  closeBoundMs: 5000,
  /** How often it is checked that connections which only listen still bring anything. */
  listeningCheckMs: 5000,
  random: Math.random,
};

/**
 * Also resolves when the cache is unavailable: every operation then rejects with `cache_connection_failed` until the
 * cache is back. Rejects if the cache answers but cannot be used, with a sentence that explains why.
 */
export function createRedisState(options: RedisStateOptions): Promise<State> {
  const { settings, clock, logger, credential, lifeSpans = defaultLifeSpans } = options;
  return openRedisState(toCacheEndpoint(settings, credential), { clock, logger }, { lifeSpans });
}

export async function openRedisState(
  endpoint: CacheEndpoint,
  parts: { readonly clock: Clock; readonly logger: Logger },
  tuned: Partial<typeof defaultTuning> = {},
): Promise<State> {
  const { clock, logger } = parts;
  const tuning = { ...defaultTuning, ...tuned };
  const { keyPrefix, lifeSpans, retry, reclaimAfterMs, closeBoundMs, listeningCheckMs, random } = tuning;
  const connections = await openRedisConnections({ endpoint, clock, logger, random });
  const keys = createKeys(keyPrefix);
  const store = { connections, clock, keys, lifeSpans };
  const events = createRedisEventBus({ ...store, logger, retry, reclaimAfterMs, closeBoundMs });
  const pubSub = new PubSub(connections, clock, logger, listeningCheckMs);
  const changes = createRedisToldChanges(pubSub, keys.changes, clock);
  const announceChange: AnnounceChange = (sessionId) => changes.tell(sessionId);
  const probe = createCacheProbe(connections, keys);
  const callOperations = createRedisCallOperations(store, pubSub, logger);
  const deadlines = (kind: string): Deadlines =>
    createRedisWorkQueue(connections, keys.callDeadlines(kind), lifeSpans.callMs);
  const ofSession = (kind: "agents" | "scenarios") =>
    createRedisRecordGroups(
      connections,
      (sessionId) => keys.session(sessionId)[kind],
      sessionLife(lifeSpans).renewedMs,
    );
  let closed: Promise<void> | undefined;
  return {
    kind: "redis",
    ...createRecordStores({
      clock,
      records: createRedisKeyedRecords(connections, keyPrefix),
      holders: createRedisHolders(connections, keyPrefix),
      callOperations,
      agents: ofSession("agents"),
      scenarios: ofSession("scenarios"),
      overrides: createRedisRecordGroups(connections, () => keys.agentOverrides, lifeSpans.overrideMs),
      results: createRedisSessionLog(store, "results"),
      deliveries: createRedisWorkQueue(connections, keys.deliveries, lifeSpans.eventMs),
      announceChange,
    }),
    changes,
    sessions: createRedisSessionStore(store, announceChange),
    hourlyCounts: createRedisHourlyCounts(connections, keyPrefix),
    conversations: new RedisConversationTable(store),
    flightLog: createRedisSessionLog(store, "flight"),
    messageLog: createRedisSessionLog(store, "messages"),
    requestLog: createRedisSessionLog(store, "requests"),
    calls: createRedisCallStore(store),
    callOperations,
    callStreams: deadlines("streams"),
    callChecks: deadlines("checks"),
    mediaSessions: createRedisMediaSessionStore(store),
    audit: createRedisAuditStore(store),
    hosts: createRedisHostRegistry(store),
    events,
    liveUpdates: createRedisLiveUpdates(pubSub, keys, clock),
    broadcasts: createRedisBroadcasts(pubSub, keys),
    async ping() {
      const startedAt = clock.now();
      await probe();
      return { latencyMs: clock.now() - startedAt };
    },
    time: () => readTime(connections, keys),
    close() {
      closed ??= (async () => {
        await events.close();
        callOperations.close();
        pubSub.close();
        await connections.closeAll();
      })();
      return closed;
    },
  };
}

/** A script, because a cluster finds the server of a command by its key, and `TIME` has none. */
const askTime = defineScript("return redis.call('TIME')");

/** Seconds, and the microseconds since then. */
const answer = z.tuple([z.coerce.number(), z.coerce.number()]);

/** The time by the server that has the registry of hosts: in a cluster, all processes ask the same one. */
async function readTime(connections: RedisConnections, keys: Keys): Promise<number> {
  const [seconds, microseconds] = answer.parse(await connections.run((redis) => askTime(redis, [keys.hosts], [])));
  return seconds * 1000 + Math.floor(microseconds / 1000);
}
