import type { Clock } from "../../platform/clock.ts";
import { createId } from "../../platform/ids.ts";
import { ticketLifeSpanMs, type IssuedTicket, type TicketGrant, type TicketStore } from "../ports/ticket-store.ts";
import { ExpiringMap } from "./expiring-map.ts";

export class MemoryTicketStore implements TicketStore {
  readonly #clock: Clock;
  readonly #grants: ExpiringMap<TicketGrant>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#grants = new ExpiringMap(clock);
  }

  async create(grant: TicketGrant): Promise<IssuedTicket> {
    const ticket = createId("ticket");
    this.#grants.set(ticket, grant, ticketLifeSpanMs);
    return { ticket, expiresAtMs: this.#clock.wallNow() + ticketLifeSpanMs };
  }

  async consume(ticket: string): Promise<TicketGrant | undefined> {
    const grant = this.#grants.get(ticket);
    this.#grants.delete(ticket);
    return grant;
  }
}
