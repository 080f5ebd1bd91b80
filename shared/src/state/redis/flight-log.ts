import type { FlightLog } from "../ports/flight-log.ts";
import { defineScript } from "./script.ts";
import { sessionLife } from "./session-life.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: the session's record, its flight log. ARGV: life span, how many pieces to keep, the piece. Turns renew the life span. */
const appendSegment = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local pieces = redis.call('RPUSH', KEYS[2], ARGV[3])
if pieces == 1 then redis.call('PEXPIRE', KEYS[2], ARGV[1]) end
if pieces > tonumber(ARGV[2]) then redis.call('LTRIM', KEYS[2], -ARGV[2], -1) end
return 1
`);

export class RedisFlightLog implements FlightLog {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async append(sessionId: string, segment: string, keep: number): Promise<void> {
    const { connections, keys, lifeSpans } = this.#options;
    const { record, flight } = keys.session(sessionId);
    await connections.run((redis) =>
      appendSegment(redis, [record, flight], [sessionLife(lifeSpans).renewedMs, keep, segment]),
    );
  }

  async read(sessionId: string): Promise<readonly string[]> {
    const { connections, keys } = this.#options;
    return connections.run((redis) => redis.lrange(keys.session(sessionId).flight, 0, -1));
  }
}
