/** Single-use passes for WebSockets, for browsers that cannot set a header. */

export const ticketLifeSpanMs = 60_000;

/** What the holder may do, fixed when the ticket is issued. */
export interface TicketGrant {
  /** Who asked for it: a token's subject, or `anonymous` while authentication is off. */
  readonly subject: string;
  /** The only session that may be joined with it; absent: any. */
  readonly sessionId?: string | undefined;
}

export interface IssuedTicket {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

export interface TicketStore {
  create(grant: TicketGrant): Promise<IssuedTicket>;
  /** Of any number of simultaneous calls with one ticket, exactly one gets the grant. */
  consume(ticket: string): Promise<TicketGrant | undefined>;
}
