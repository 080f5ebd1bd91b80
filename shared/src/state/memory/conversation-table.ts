import { normaliseSearch } from "../../conversation/conversation-labels.ts";
import { pageOf } from "../../conversation/conversation-row.ts";
import type { Clock } from "../../platform/clock.ts";
import { conversationLifeMs } from "../conversation-life.ts";
import type { LifeSpans } from "../life-spans.ts";
import type { ConversationRow, ConversationTable } from "../ports/conversation-table.ts";
import { ExpiringMap } from "./expiring-map.ts";

/** Lists look at every row: one process has as many as its sessions of a day. */
export function createMemoryConversationTable(clock: Clock, lifeSpans: LifeSpans): ConversationTable {
  const rows = new ExpiringMap<ConversationRow>(clock);
  const write = (row: ConversationRow): void =>
    rows.set(row.sessionId, row, conversationLifeMs(row, lifeSpans, clock.wallNow()));
  return {
    async put(row) {
      const before = rows.get(row.sessionId);
      if (before !== undefined && before.revision > row.revision) return "refused";
      write(row);
      return before ?? "new";
    },
    get: async (sessionId) => rows.get(sessionId),
    async keepAlive(sessionIds) {
      for (const row of sessionIds.map((id) => rows.get(id))) if (row !== undefined) write(row);
    },
    remove: async (sessionId) => void rows.delete(sessionId),
    list: async (query) =>
      pageOf(rows.values(), { ...query, search: query.search && normaliseSearch(query.search) }, clock.wallNow()),
  };
}
