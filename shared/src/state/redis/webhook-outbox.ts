/**
 * A sorted set of deliveries by due time, measured by the server's clock, a hash for each, and a set of those of each
 * session.
 */
import { z } from "zod";
import { webhookTypes } from "../../contracts/webhooks/webhook-event.ts";
import { isTakenBack, type TakenDelivery, type WebhookDelivery, type WebhookOutbox } from "../ports/webhook-outbox.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: due, the delivery, those of its session. ARGV: life span, due in, name, facts, body ('' if unknown). */
const put = defineScript(`${now}
local facts, body, done = unpack(redis.call('HMGET', KEYS[2], 'facts', 'body', 'done'))
if done or body or (facts and ARGV[5] == '') then return 0 end
redis.call('HSET', KEYS[2], 'facts', ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], 'body', ARGV[5]) end
redis.call('SADD', KEYS[3], ARGV[3])
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return 1
`);

/** KEYS: due, the delivery. ARGV: due in, name. */
const hasten = defineScript(`${now}
if redis.call('HEXISTS', KEYS[2], 'body') == 1 then return 0 end
return redis.call('ZADD', KEYS[1], 'XX', 'LT', now + ARGV[1], ARGV[2])
`);

/** How many due deliveries, to whatever receiver, are searched for those to one receiver: about half a millisecond. */
const searched = 1000;

/**
 * KEYS: due. ARGV: lease, limit, life span, ending of the receiver's names. Where a receiver that does not answer has more
 * deliveries due than are searched, those to the other receivers are found from the other end.
 */
const takeNames = defineScript(`${now}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
local taken, limit, ending = {}, tonumber(ARGV[2]), ARGV[4]
local function take(names)
  for _, name in ipairs(names) do
    if #taken >= limit then return end
    if string.sub(name, -#ending) == ending then
      taken[#taken + 1] = name
      redis.call('ZADD', KEYS[1], now + ARGV[1], name)
    end
  end
end
local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ${searched})
take(oldest)
if #oldest == ${searched} then take(redis.call('ZREVRANGEBYSCORE', KEYS[1], now, '-inf', 'LIMIT', 0, ${searched})) end
return taken
`);

/** KEYS: due, the delivery. ARGV: name. Counts the attempt. */
const beginAttempt = defineScript(`
local facts, body = unpack(redis.call('HMGET', KEYS[2], 'facts', 'body'))
if not facts then redis.call('ZREM', KEYS[1], ARGV[1]) return {} end
return { facts, body or '', redis.call('HINCRBY', KEYS[2], 'attempt', 1) }
`);

/** KEYS: the delivery. ARGV: attempt, body. */
const keepBody = defineScript(`
if redis.call('HGET', KEYS[1], 'attempt') ~= ARGV[1] or redis.call('HEXISTS', KEYS[1], 'facts') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'body', ARGV[2])
return 1
`);

/** KEYS: due, the delivery. ARGV: due in, name, attempt. */
const postpone = defineScript(`${now}
if redis.call('HGET', KEYS[2], 'attempt') == ARGV[3] then redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[2]) end
return 1
`);

/** KEYS: due, the delivery, those of its session. ARGV: name, attempt. */
const finish = defineScript(`
if redis.call('HGET', KEYS[2], 'attempt') ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[2], 'facts', 'body')
redis.call('HSET', KEYS[2], 'done', 1)
return 1
`);

const names = z.array(z.string());
const begun = z.union([z.tuple([z.string(), z.string(), z.number()]), z.tuple([])]);
const facts = z.object({
  id: z.string(),
  type: z.enum(webhookTypes),
  subject: z.string(),
  sessionId: z.string(),
  ownerMark: z.string().optional(),
  operation: z.string().optional(),
  conversation: z.object({ createdAtMs: z.number(), storedAtMs: z.number() }).optional(),
  receiver: z.string(),
});

export class RedisWebhookOutbox implements WebhookOutbox {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async put({ body = "", ...known }: WebhookDelivery, dueInMs: number): Promise<void> {
    const { connections, lifeSpans } = this.#options;
    const args = [lifeSpans.eventMs, dueInMs, nameOf(known), JSON.stringify(known), body];
    await connections.run((redis) => put(redis, this.#keysOf(known), args));
  }

  async hasten(delivery: Pick<WebhookDelivery, "id" | "receiver">, dueInMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    const name = nameOf(delivery);
    await connections.run((redis) => hasten(redis, [keys.webhooksDue, keys.webhook(name)], [dueInMs, name]));
  }

  async take(receiver: string, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]> {
    const { connections, keys, lifeSpans } = this.#options;
    const due = keys.webhooksDue;
    return connections.run(async (redis) => {
      const args = [leaseMs, limit, lifeSpans.eventMs, nameOf({ id: "", receiver })];
      const taken = names.parse(await takeNames(redis, [due], args));
      const found = await Promise.all(
        taken.map(async (name) => begun.parse(await beginAttempt(redis, [due, keys.webhook(name)], [name]))),
      );
      return found.flatMap((answer) => {
        if (answer.length === 0) return [];
        const [told, body, attempt] = answer;
        return [{ ...facts.parse(JSON.parse(told)), body: body === "" ? undefined : body, attempt }];
      });
    });
  }

  async keepBody(delivery: TakenDelivery, body: string): Promise<boolean> {
    const { connections, keys } = this.#options;
    const args = [delivery.attempt, body];
    return (await connections.run((redis) => keepBody(redis, [keys.webhook(nameOf(delivery))], args))) === 1;
  }

  async postpone(delivery: TakenDelivery, dueInMs: number): Promise<void> {
    const { connections, keys } = this.#options;
    const name = nameOf(delivery);
    await connections.run((redis) =>
      postpone(redis, [keys.webhooksDue, keys.webhook(name)], [dueInMs, name, delivery.attempt]),
    );
  }

  async finish(delivery: TakenDelivery): Promise<void> {
    const { connections } = this.#options;
    await connections.run((redis) => finish(redis, this.#keysOf(delivery), [nameOf(delivery), delivery.attempt]));
  }

  async forgetSession(sessionId: string, mark?: string): Promise<void> {
    const { connections, keys } = this.#options;
    const ofSession = keys.webhooksOfSession(sessionId);
    await connections.run(async (redis) => {
      const open = await redis.smembers(ofSession);
      const known = await Promise.all(open.map((name) => redis.hget(keys.webhook(name), "facts")));
      const theirs = open.filter((_, at) => isTakenBack(toFacts(known[at]) ?? {}, mark));
      if (theirs.length === 0) return;
      await Promise.all([
        redis.del(...theirs.map((name) => keys.webhook(name))),
        redis.srem(ofSession, ...theirs),
        redis.zrem(keys.webhooksDue, ...theirs),
      ]);
    });
  }

  #keysOf(delivery: Omit<WebhookDelivery, "body">): readonly string[] {
    const { keys } = this.#options;
    return [keys.webhooksDue, keys.webhook(nameOf(delivery)), keys.webhooksOfSession(delivery.sessionId)];
  }
}

function toFacts(text: string | null | undefined): z.infer<typeof facts> | undefined {
  return text === null || text === undefined ? undefined : facts.parse(JSON.parse(text));
}

function nameOf({ id, receiver }: Pick<WebhookDelivery, "id" | "receiver">): string {
  return `${id}:${receiver}`;
}
