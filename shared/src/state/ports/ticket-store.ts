/** Single-use tickets for WebSockets, because browsers cannot set headers on them. */

export const ticketLifeSpanMs = 60_000;

/** One thing that the holder may do, fixed when the ticket is issued. */
export type TicketPurpose =
  /** Hold the conversation of this session, which exists or is begun with it. */
  | { readonly type: "converse"; readonly sessionId: string }
  /** Watch this session or, without an id, all that the holder may see. */
  | { readonly type: "watch"; readonly sessionId?: string | undefined }
  /** Hear both sides of this session while it goes on; for operators. */
  | { readonly type: "listen"; readonly sessionId: string };

export interface TicketGrant {
  /** Who requested it: a token's subject, or `anonymous` while authentication is off. */
  readonly subject: string;
  readonly isOperator: boolean;
  /** When the token expires with which it was requested. */
  readonly tokenExpiresAtMs?: number | undefined;
  readonly purpose: TicketPurpose;
  /** The trace context of the request. */
  readonly traceparent?: string | undefined;
}

export interface IssuedTicket {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

export interface TicketStore {
  create(grant: TicketGrant): Promise<IssuedTicket>;
  /** Exactly one of any number of simultaneous calls with the same ticket gets the grant. */
  consume(ticket: string): Promise<TicketGrant | undefined>;
}
