/** The bus on Redis Streams: a stream for each type of event, whose consumers are one group. */
import { z } from "zod";
import { callEvent, callEventTypes } from "../../contracts/events/call-event.ts";
import { createId } from "../../platform/ids.ts";
import { createOutageLog, shareOutageLog } from "../../platform/outage-log.ts";
import type { EventBus } from "../ports/event-bus.ts";
import type { RedisConnections } from "./connection.ts";
import { EventConsumer, type EventBusOptions } from "./event-consumer.ts";
import { livingHandlers, publishEvent, withdrawEvents } from "./event-scripts.ts";
import { jsonOf } from "../stored-json.ts";
import { fromPairs } from "./hash-record.ts";
import { eventGroup } from "./keys.ts";

/** The most entries in a stream, far above any backlog that is still worth handling. */
const maxStreamEntries = 100_000;
/** How many entries are read at once to find those of one call; a callback takes 2 KB. */
const readAtOnce = 500;

const consumerSentences = {
  failing: "event consumers cannot reach the cache",
  over: "event consumers reach the cache again",
};
const healthSentences = { failing: "the event system is unreachable", over: "the event system is reachable again" };

const members = z.array(z.string());
const listed = z.array(z.tuple([z.string(), z.array(z.string())]));
const deadLetter = z.object({
  event: z.string(),
  reason: z.string(),
  attempts: z.coerce.number(),
  timestampMs: z.coerce.number(),
});

export function createRedisEventBus(options: EventBusOptions): EventBus {
  const { connections, keys, logger, lifeSpans } = options;
  const consumers = new Set<EventConsumer>();
  const outageLog = createOutageLog(logger, healthSentences);
  const closeAll = async (some: readonly EventConsumer[]): Promise<void> => {
    await Promise.all(some.map((consumer) => consumer.close()));
    for (const consumer of some) consumers.delete(consumer);
  };
  return {
    async publish(event) {
      const scriptKeys = [keys.published(event.id), keys.stream(event.type)];
      const args = [JSON.stringify(event), lifeSpans.eventMs, maxStreamEntries];
      const isNew = await connections.run((redis) => publishEvent(redis, scriptKeys, args));
      return isNew === 1 ? "published" : "duplicate";
    },
    async subscribe(handlers, onGivenUp = () => undefined) {
      const consumerId = createId("host");
      const shared = shareOutageLog(createOutageLog(logger, consumerSentences));
      const own = callEventTypes.map(
        (type) => new EventConsumer({ ...options, type, consumerId, outageLog: shared, onGivenUp }, handlers),
      );
      for (const consumer of own) consumers.add(consumer);
      try {
        await Promise.all(own.map((consumer) => consumer.start()));
      } catch (error) {
        await closeAll(own);
        throw error;
      }
      return () => closeAll(own);
    },
    async health() {
      try {
        const living = members.parse(await connections.run((redis) => livingHandlers(redis, [keys.handlers], [])));
        outageLog.worked();
        return { isHealthy: true, handlersCount: living.length, domainsCount: living.length > 0 ? 1 : 0 };
      } catch (error) {
        outageLog.failed(error);
        return { isHealthy: false, handlersCount: 0, domainsCount: 0 };
      }
    },
    async deadLetters(limit) {
      const reply = await connections.run((redis) => redis.xrevrange(keys.deadLetters, "+", "-", "COUNT", limit));
      return listed.parse(reply).map(([, fields]) => {
        const { event: eventJson, reason, attempts, timestampMs } = deadLetter.parse(fromPairs(fields));
        const event = storedEvent.safeParse(eventJson).data;
        return { event, eventJson, reason, attempts, timestampMs };
      });
    },
    async forget(callId) {
      const lists = [...callEventTypes.map((type) => keys.stream(type)), keys.deadLetters];
      await Promise.all(lists.map((list) => forgetIn(list, callId, connections)));
    },
    close: () => closeAll([...consumers]),
  };
}

/** Handled events are deleted already, so a list holds a backlog, if anything. */
async function forgetIn(list: string, callId: string, connections: RedisConnections): Promise<void> {
  for (let start = "-"; ;) {
    const reply = await connections.run((redis) => redis.xrange(list, start, "+", "COUNT", readAtOnce));
    const page = listed.parse(reply);
    const ids = page.flatMap(([id, fields]) =>
      storedEvent.safeParse(fromPairs(fields)["event"]).data?.subject === callId ? [id] : [],
    );
    if (ids.length > 0) await connections.run((redis) => withdrawEvents(redis, [list], [eventGroup, ...ids]));
    const [last] = page.at(-1) ?? [];
    if (last === undefined || page.length < readAtOnce) return;
    start = `(${last}`;
  }
}

const storedEvent = jsonOf(callEvent);
