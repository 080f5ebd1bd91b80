/** The bus on Redis Streams: a stream for each type of event, whose consumers are one group. */
import { z } from "zod";
import { callEvent, callEventTypes, type CallEvent } from "../../contracts/events/call-event.ts";
import { createId } from "../../platform/ids.ts";
import { createOutageLog, shareOutageLog, type OutageLog } from "../../platform/outage-log.ts";
import type { DeadLetter, EventBus, EventHandlers, EventSystemHealth, Unsubscribe } from "../ports/event-bus.ts";
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

export class RedisEventBus implements EventBus {
  readonly #options: EventBusOptions;
  readonly #consumers = new Set<EventConsumer>();
  readonly #health: OutageLog;

  constructor(options: EventBusOptions) {
    this.#options = options;
    this.#health = createOutageLog(options.logger, healthSentences);
  }

  async publish(event: CallEvent): Promise<"published" | "duplicate"> {
    const { connections, keys, eventMs } = this.#options;
    const scriptKeys = [keys.published(event.id), keys.stream(event.type)];
    const args = [JSON.stringify(event), eventMs, maxStreamEntries];
    const isNew = await connections.run((redis) => publishEvent(redis, scriptKeys, args));
    return isNew === 1 ? "published" : "duplicate";
  }

  async subscribe(handlers: EventHandlers): Promise<Unsubscribe> {
    const consumerId = createId("host");
    const outageLog = shareOutageLog(createOutageLog(this.#options.logger, consumerSentences));
    const consumers = callEventTypes.map(
      (type) => new EventConsumer({ ...this.#options, type, consumerId, outageLog }, handlers),
    );
    for (const consumer of consumers) this.#consumers.add(consumer);
    const close: Unsubscribe = async () => {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      for (const consumer of consumers) this.#consumers.delete(consumer);
    };
    try {
      await Promise.all(consumers.map((consumer) => consumer.start()));
    } catch (error) {
      await close();
      throw error;
    }
    return close;
  }

  async health(): Promise<EventSystemHealth> {
    const { connections, keys } = this.#options;
    try {
      const living = members.parse(await connections.run((redis) => livingHandlers(redis, [keys.handlers], [])));
      this.#health.worked();
      return { isHealthy: true, handlersCount: living.length, domainsCount: living.length > 0 ? 1 : 0 };
    } catch (error) {
      this.#health.failed(error);
      return { isHealthy: false, handlersCount: 0, domainsCount: 0 };
    }
  }

  async deadLetters(limit: number): Promise<readonly DeadLetter[]> {
    const { connections, keys } = this.#options;
    const reply = await connections.run((redis) => redis.xrevrange(keys.deadLetters, "+", "-", "COUNT", limit));
    return listed.parse(reply).map(([, fields]) => {
      const { event: eventJson, reason, attempts, timestampMs } = deadLetter.parse(fromPairs(fields));
      const event = storedEvent.safeParse(eventJson).data;
      return { event, eventJson, reason, attempts, timestampMs };
    });
  }

  async forget(callId: string): Promise<void> {
    const { keys } = this.#options;
    const lists = [...callEventTypes.map((type) => keys.stream(type)), keys.deadLetters];
    await Promise.all(lists.map((list) => this.#forgetIn(list, callId)));
  }

  /** Handled events are deleted already, so a list holds a backlog, if anything. */
  async #forgetIn(list: string, callId: string): Promise<void> {
    const { connections } = this.#options;
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

  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    this.#consumers.clear();
  }
}

const storedEvent = jsonOf(callEvent);
