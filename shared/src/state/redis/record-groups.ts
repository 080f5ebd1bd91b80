/** Each group is a hash. */
import { z } from "zod";
import type { RecordGroups } from "../ports/record-groups.ts";
import type { RedisConnections } from "./connection.ts";
import { defineScript } from "./script.ts";

/** KEYS: the group. ARGV: name, value, the most records, life span. */
const add = defineScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'taken' end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 'added'
`);

/** KEYS: the group. ARGV: name, its current value, the next one, life span. */
const swap = defineScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
`);

const added = z.enum(["added", "taken", "full"]);

export class RedisRecordGroups implements RecordGroups {
  readonly #connections: RedisConnections;
  readonly #keyOf: (group: string) => string;
  readonly #lifeSpanMs: number;

  constructor(connections: RedisConnections, keyOf: (group: string) => string, lifeSpanMs: number) {
    this.#connections = connections;
    this.#keyOf = keyOf;
    this.#lifeSpanMs = lifeSpanMs;
  }

  async all(group: string): Promise<readonly string[]> {
    return this.#connections.run((redis) => redis.hvals(this.#keyOf(group)));
  }

  async get(group: string, name: string): Promise<string | undefined> {
    return (await this.#connections.run((redis) => redis.hget(this.#keyOf(group), name))) ?? undefined;
  }

  async add(
    group: string,
    name: string,
    value: string,
    most = Number.MAX_SAFE_INTEGER,
  ): Promise<"added" | "taken" | "full"> {
    const args = [name, value, most, this.#lifeSpanMs];
    return added.parse(await this.#connections.run((redis) => add(redis, [this.#keyOf(group)], args)));
  }

  async swap(group: string, name: string, current: string, next: string): Promise<boolean> {
    const args = [name, current, next, this.#lifeSpanMs];
    return (await this.#connections.run((redis) => swap(redis, [this.#keyOf(group)], args))) === 1;
  }
}
