/** A Lua script, sent as its hash, and in full to a server that does not have it (new, restarted, failed over). */
import { createHash } from "node:crypto";
import type { CacheCommands } from "./cache-servers.ts";
import { isReply } from "./redis-error.ts";

/** Begins scripts that need the time: the server's, in whole milliseconds, because the clocks of hosts differ. */
export const serverNow = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

export type Script = (
  redis: CacheCommands,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

export function defineScript(lua: string): Script {
  const hash = createHash("sha1").update(lua).digest("hex");
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isReply(error, "NOSCRIPT")) throw error;
      return await redis.eval(lua, keys.length, ...keys, ...args);
    }
  };
}
