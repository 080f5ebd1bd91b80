import type { FlightLog } from "../ports/flight-log.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: the session's record, its flight log. ARGV: life span, how many pieces to keep, the piece. */
const appendSegment = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
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
    await connections.run((redis) => appendSegment(redis, [record, flight], [lifeSpans.sessionMs, keep, segment]));
  }

  async read(sessionId: string): Promise<readonly string[]> {
    const { connections, keys } = this.#options;
    return connections.run((redis) => redis.lrange(keys.session(sessionId).flight, 0, -1));
  }
}
