/** Single-use tickets for WebSockets, because browsers cannot set headers on them. */
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { createId } from "../../platform/ids.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { readerOf, type Stored } from "../stored-json.ts";

export const ticketLifeSpanMs = 60_000;

/** One thing that the holder may do, fixed when the ticket is issued. */
const ticketPurpose = z.discriminatedUnion("type", [
  /** Hold the conversation of this session, which exists or is begun with it. */
  z.object({ type: z.literal("converse"), sessionId: z.string() }),
  /** Watch this session or, without an id, all that the holder may see. */
  z.object({ type: z.literal("watch"), sessionId: z.string().optional() }),
  /** Hear both sides of this session while it goes on; for operators. */
  z.object({ type: z.literal("listen"), sessionId: z.string() }),
  /** Try tools by themselves, in no conversation; for operators of the whole service. */
  z.object({ type: z.literal("try"), sessionId: z.undefined().optional() }),
]);
export type TicketPurpose = Stored<typeof ticketPurpose>;

export const ticketGrant = z.object({
  /** Who requested it: a token's subject, or `anonymous` while authentication is off. */
  subject: z.string(),
  isOperator: z.boolean(),
  tenant: z.string().optional(),
  purpose: ticketPurpose,
  /** When the token expires with which it was requested. */
  tokenExpiresAtMs: z.number().optional(),
  /** The trace context of the request. */
  traceparent: z.string().optional(),
});
export type TicketGrant = Stored<typeof ticketGrant>;

export type TicketStore = ReturnType<typeof createTicketStore>;

const read = readerOf(ticketGrant);

export function createTicketStore(records: KeyedRecords, clock: Clock) {
  return {
    async create(grant: TicketGrant) {
      const ticket = createId("ticket");
      const expiresAtMs = clock.wallNow() + ticketLifeSpanMs;
      await records.put(`ticket:${ticket}`, JSON.stringify(grant), ticketLifeSpanMs);
      return { ticket, expiresAtMs };
    },
    /** Exactly one of any number of simultaneous calls with the same ticket gets the grant. */
    consume: async (ticket: string) => read(await records.take(`ticket:${ticket}`)),
  };
}
