/** A sorted set of calls by due time, measured by the server's clock, and a hash of their holders. */
import { z } from "zod";
import type { CallDeadlines, CallHold } from "../ports/call-deadlines.ts";
import type { RedisConnections } from "./connection.ts";
import { defineScript, type Script } from "./script.ts";

export interface RedisCallDeadlinesOptions {
  readonly connections: RedisConnections;
  /** The keys for one kind of deadline; all are in one slot. */
  readonly keys: { readonly due: string; readonly holders: string };
  /** The longest time that a call is remembered. */
  readonly lifeSpanMs: number;
}

/** KEYS: due, holders. ARGV: life span, then the script's own arguments. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function put(call, span, holder)
  redis.call('ZADD', KEYS[1], now + span, call)
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  if holder then
    redis.call('HSET', KEYS[2], call, holder)
    redis.call('PEXPIRE', KEYS[2], ARGV[1])
  else redis.call('HDEL', KEYS[2], call) end
end
`;

/** ARGV from 2: span, call, holder. */
const hold = defineScript(`${prelude} put(ARGV[3], ARGV[2], ARGV[4]) return 1`);

/** As many as Lua takes as arguments of one command, and more than a host has. */
const mostRenewed = 1000;

/**
 * ARGV from 2: span, then call, holder, … A host does this twice a second for all its calls, so it takes two commands for all of them
 * and not the five of `put` for each.
 */
const renew = defineScript(`${prelude}
local calls, renewed = {}, {}
for i = 3, #ARGV, 2 do calls[#calls + 1] = ARGV[i] end
for i, holder in ipairs(redis.call('HMGET', KEYS[2], unpack(calls))) do
  local wanted = ARGV[2 + 2 * i]
  if holder == wanted then
    renewed[#renewed + 1] = now + ARGV[2]
    renewed[#renewed + 1] = calls[i]
  elseif not holder and not redis.call('ZSCORE', KEYS[1], calls[i]) then put(calls[i], ARGV[2], wanted) end
end
if #renewed > 0 then redis.call('ZADD', KEYS[1], unpack(renewed)) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return 1
`);

/** ARGV from 2: span, call, holder. */
const release = defineScript(`${prelude}
if redis.call('HGET', KEYS[2], ARGV[3]) == ARGV[4] then put(ARGV[3], ARGV[2]) end
return 1
`);

/** ARGV from 2: span, call. */
const expectCall = defineScript(`${prelude}
if not redis.call('ZSCORE', KEYS[1], ARGV[3]) then put(ARGV[3], ARGV[2]) end
return 1
`);

/** ARGV from 2: span, call. */
const set = defineScript(`${prelude} put(ARGV[3], ARGV[2]) return 1`);

/** ARGV from 2: span, limit. */
const takeOverdue = defineScript(`${prelude}
local overdue = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, call in ipairs(overdue) do put(call, ARGV[2]) end
return overdue
`);

const callIds = z.array(z.string());

export class RedisCallDeadlines implements CallDeadlines {
  readonly #options: RedisCallDeadlinesOptions;

  constructor(options: RedisCallDeadlinesOptions) {
    this.#options = options;
  }

  async hold({ callId, holder }: CallHold, forMs: number): Promise<void> {
    await this.#run(hold, [forMs, callId, holder]);
  }

  async renew(holds: readonly CallHold[], forMs: number): Promise<void> {
    for (let from = 0; from < holds.length; from += mostRenewed) {
      const portion = holds.slice(from, from + mostRenewed);
      await this.#run(renew, [forMs, ...portion.flatMap(({ callId, holder }) => [callId, holder])]);
    }
  }

  async release({ callId, holder }: CallHold, dueInMs: number): Promise<void> {
    await this.#run(release, [dueInMs, callId, holder]);
  }

  async expect(callId: string, dueInMs: number): Promise<void> {
    await this.#run(expectCall, [dueInMs, callId]);
  }

  async set(callId: string, dueInMs: number): Promise<void> {
    await this.#run(set, [dueInMs, callId]);
  }

  async holderOf(callId: string): Promise<string | undefined> {
    const { connections, keys } = this.#options;
    return (await connections.run((redis) => redis.hget(keys.holders, callId))) ?? undefined;
  }

  async takeOverdue(againInMs: number, limit: number): Promise<readonly string[]> {
    return callIds.parse(await this.#run(takeOverdue, [againInMs, limit]));
  }

  async forget(callId: string): Promise<void> {
    const { connections, keys } = this.#options;
    await connections.run((redis) => Promise.all([redis.zrem(keys.due, callId), redis.hdel(keys.holders, callId)]));
  }

  #run(script: Script, args: readonly (string | number)[]): Promise<unknown> {
    const { connections, keys, lifeSpanMs } = this.#options;
    return connections.run((redis) => script(redis, [keys.due, keys.holders], [lifeSpanMs, ...args]));
  }
}
