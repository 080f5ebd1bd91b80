import {
  auditRecord,
  fitsAuditQuery,
  mostAuditRecords,
  type AuditRecord,
  type AuditStore,
} from "../ports/audit-store.ts";
import { jsonOf } from "../stored-json.ts";
import { defineScript } from "./script.ts";
import type { RedisStoreOptions } from "./store-options.ts";

/** KEYS: the stream. ARGV: the record, how many to keep, life span. */
const append = defineScript(`
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'record', ARGV[1])
local time = redis.call('TIME')
redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%d', time[1] * 1000 - ARGV[3]))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`);

const written = jsonOf(auditRecord);

const pageSize = 1000;

export function createRedisAuditStore({ connections, keys }: RedisStoreOptions): AuditStore {
  return {
    async append(entry, lifeSpanMs) {
      const args = [JSON.stringify(entry), mostAuditRecords, lifeSpanMs];
      await connections.run((redis) => append(redis, [keys.audit], args));
    },
    /** There is no index: who looks for one subject's records has all of them read, in pages, until there are enough. */
    async list(query) {
      const found: AuditRecord[] = [];
      let from = query.beforeMs === undefined ? "+" : String(query.beforeMs);
      for (;;) {
        const page = await connections.run((redis) => redis.xrevrange(keys.audit, from, "-", "COUNT", pageSize));
        for (const [, fields] of page) {
          const entry = written.parse(fields[1]);
          if (fitsAuditQuery(entry, query)) found.push(entry);
          if (found.length === query.limit) return found;
        }
        const last = page.at(-1);
        if (last === undefined || page.length < pageSize) return found;
        from = `(${last[0]}`;
      }
    },
  };
}
