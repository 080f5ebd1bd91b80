/**
 * The customer for whom a session's tools act, and the port through which customers are found. What is known about a customer is a
 * document. Only the tools that use it and the source that provides it know its shape; the host and the tool runner never look inside.
 */
import type { Caller } from "../auth/caller.ts";
import { VoiceError } from "../platform/errors.ts";

export type CustomerDocument = Readonly<Record<string, unknown>>;

export interface Customer {
  readonly id: string;
  /** The document as last read or written. */
  readonly document: CustomerDocument;
  /**
   * Stores a change (a blocked card, a new claim) and returns the new document. `change` is called again if the
   * document was changed concurrently, so it must depend only on its argument.
   */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}

export interface CustomerQuery {
  /** Undefined before a session exists. */
  readonly sessionId: string | undefined;
  /** The id that the client or the session has given; undefined if the caller has to be recognised in another way. */
  readonly customerId: string | undefined;
  /** The caller's number as the telephone network reports it. */
  readonly phoneNumber?: string | undefined;
  /** The subject of the verified token. */
  readonly subject?: string | undefined;
  /**
   * The caller who gave the id, and who may lack access to that customer. Absent if the id is from the session, which
   * was checked before.
   */
  readonly namedBy?: Caller | undefined;
}

export interface FoundCustomer {
  readonly id: string;
  readonly document: CustomerDocument;
}

export interface CustomerSource {
  /**
   * Resolves with undefined if no customer matches. Rejects with `forbidden` for a customer that `namedBy` has no
   * access to, and with a retryable error while the source is unavailable.
   */
  find(query: CustomerQuery): Promise<FoundCustomer | undefined>;
  /** Rejects with `not_found` if the customer no longer exists, and with `forbidden` if customers cannot be changed. */
  update(
    customer: { readonly id: string; readonly sessionId: string },
    change: (document: CustomerDocument) => CustomerDocument,
  ): Promise<CustomerDocument>;
}

/** A source without customers. */
export const noCustomers: CustomerSource = {
  find: () => Promise.resolve(undefined),
  update: () => Promise.reject(new VoiceError("not_found", "no customers are known here")),
};
