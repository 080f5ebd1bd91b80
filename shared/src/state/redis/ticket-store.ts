import { createId } from "../../platform/ids.ts";
import { ticketLifeSpanMs, type IssuedTicket, type TicketGrant, type TicketStore } from "../ports/ticket-store.ts";
import { jsonOf } from "./hash-record.ts";
import { ticketGrant } from "./records.ts";
import type { RedisStoreOptions } from "./store-options.ts";

const stored = jsonOf(ticketGrant);

export class RedisTicketStore implements TicketStore {
  readonly #options: RedisStoreOptions;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  async create(grant: TicketGrant): Promise<IssuedTicket> {
    const { connections, clock, keys } = this.#options;
    const ticket = createId("ticket");
    const expiresAtMs = clock.wallNow() + ticketLifeSpanMs;
    await connections.run((redis) => redis.set(keys.ticket(ticket), JSON.stringify(grant), "PX", ticketLifeSpanMs));
    return { ticket, expiresAtMs };
  }

  async consume(ticket: string): Promise<TicketGrant | undefined> {
    const { connections, keys } = this.#options;
    const text = await connections.run((redis) => redis.getdel(keys.ticket(ticket)));
    return text === null ? undefined : stored.parse(text);
  }
}
