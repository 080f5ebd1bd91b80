/**
 * Whom a session's tools act for, and the port through which customers are found. What is known of a customer is a document,
 * whose shape is a matter between the tools that act on it and whoever has it: neither the host nor the tool runner looks
 * inside.
 */
import type { Caller } from "../auth/caller.ts";
import { VoiceError } from "../platform/errors.ts";

export type CustomerDocument = Readonly<Record<string, unknown>>;

export interface Customer {
  readonly id: string;
  /** As it was last read or written. */
  readonly document: CustomerDocument;
  /**
   * Stores a change (a blocked card, a new claim) and returns the new document. `change` is called again if the
   * document was changed concurrently, so it must depend only on its argument.
   */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}

export interface CustomerQuery {
  /** Undefined before there is one. */
  readonly sessionId: string | undefined;
  /** What the client or the session has named; undefined: whoever it is that calls. */
  readonly customerId: string | undefined;
  /** As the telephone network gives it. */
  readonly phoneNumber?: string | undefined;
  /** Whose token was checked. */
  readonly subject?: string | undefined;
  /** Who has named the customer and may not know them; absent where it is the session, for which that was checked. */
  readonly namedBy?: Caller | undefined;
}

export interface FoundCustomer {
  readonly id: string;
  readonly document: CustomerDocument;
}

export interface CustomerSource {
  /**
   * Undefined where nobody is known by this. Rejects with `forbidden` for a customer of whom `namedBy` must not know, and
   * with a retryable error while nobody can be asked.
   */
  find(query: CustomerQuery): Promise<FoundCustomer | undefined>;
  /** Rejects with `not_found` where the customer is gone, and with `forbidden` where nothing can be changed. */
  update(
    customer: { readonly id: string; readonly sessionId: string },
    change: (document: CustomerDocument) => CustomerDocument,
  ): Promise<CustomerDocument>;
}

/** Where nobody is known. */
export const noCustomers: CustomerSource = {
  find: () => Promise.resolve(undefined),
  update: () => Promise.reject(new VoiceError("not_found", "no customers are known here")),
};
