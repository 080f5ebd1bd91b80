/** Single-use tickets for WebSockets, because browsers cannot set headers on them. */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { createId } from "../../platform/ids.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { jsonOf } from "../stored-json.ts";

export const ticketLifeSpanMs = 60_000;

/** One thing that the holder may do, fixed when the ticket is issued. */
export type TicketPurpose =
  /** Hold the conversation of this session, which exists or is begun with it. */
  | { readonly type: "converse"; readonly sessionId: string }
  /** Watch this session or, without an id, all that the holder may see. */
  | { readonly type: "watch"; readonly sessionId?: string | undefined }
  /** Hear both sides of this session while it goes on; for operators. */
  | { readonly type: "listen"; readonly sessionId: string }
  /** Try tools by themselves, in no conversation; for operators of the whole service. */
  | { readonly type: "try"; readonly sessionId?: undefined };

export interface TicketGrant {
  /** Who requested it: a token's subject, or `anonymous` while authentication is off. */
  readonly subject: string;
  readonly isOperator: boolean;
  readonly tenant?: string | undefined;
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

export const ticketGrant: z.ZodType<TicketGrant> = z.object({
  subject: z.string(),
  isOperator: z.boolean(),
  tenant: z.string().optional(),
  purpose: z.discriminatedUnion("type", [
    z.object({ type: z.literal("converse"), sessionId: z.string() }),
    z.object({ type: z.literal("watch"), sessionId: z.string().optional() }),
    z.object({ type: z.literal("listen"), sessionId: z.string() }),
    z.object({ type: z.literal("try"), sessionId: z.undefined().optional() }),
  ]),
  tokenExpiresAtMs: z.number().optional(),
  traceparent: z.string().optional(),
});

const stored = jsonOf(ticketGrant);

export function createTicketStore(records: KeyedRecords, clock: Clock): TicketStore {
  return {
    async create(grant) {
      const ticket = createId("ticket");
      const expiresAtMs = clock.wallNow() + ticketLifeSpanMs;
      await records.put(`ticket:${ticket}`, JSON.stringify(grant), ticketLifeSpanMs);
      return { ticket, expiresAtMs };
    },
    async consume(ticket) {
      const text = await records.take(`ticket:${ticket}`);
      return text === undefined ? undefined : stored.parse(text);
    },
  };
}
