import { normaliseSearch } from "../../conversation/conversation-labels.ts";
import { pageOf } from "../../conversation/conversation-row.ts";
import type { Clock } from "../../platform/clock.ts";
import type { LifeSpans } from "../life-spans.ts";
import type {
  ConversationPage,
  ConversationQuery,
  ConversationRow,
  ConversationTable,
} from "../ports/conversation-table.ts";
import { conversationLifeMs } from "../conversation-life.ts";
import { ExpiringMap } from "./expiring-map.ts";

/** Lists look at every row: one process has as many as its sessions of a day. */
export class MemoryConversationTable implements ConversationTable {
  readonly #clock: Clock;
  readonly #lifeSpans: LifeSpans;
  readonly #rows: ExpiringMap<ConversationRow>;

  constructor(clock: Clock, lifeSpans: LifeSpans) {
    this.#clock = clock;
    this.#lifeSpans = lifeSpans;
    this.#rows = new ExpiringMap(clock);
  }

  async put(row: ConversationRow): Promise<ConversationRow | "new" | "refused"> {
    const before = this.#rows.get(row.sessionId);
    if (before !== undefined && before.revision > row.revision) return "refused";
    this.#rows.set(row.sessionId, row, conversationLifeMs(row, this.#lifeSpans, this.#clock.wallNow()));
    return before ?? "new";
  }

  async get(sessionId: string): Promise<ConversationRow | undefined> {
    return this.#rows.get(sessionId);
  }

  async keepAlive(sessionIds: readonly string[]): Promise<void> {
    for (const id of sessionIds) {
      const row = this.#rows.get(id);
      if (row !== undefined) await this.put(row);
    }
  }

  async remove(sessionId: string): Promise<void> {
    this.#rows.delete(sessionId);
  }

  async list(query: ConversationQuery): Promise<ConversationPage> {
    const wanted = { ...query, search: query.search && normaliseSearch(query.search) };
    return pageOf(this.#rows.values(), wanted, this.#clock.wallNow());
  }
}
