/**
 * The customer for whom a session's tools act. A customer is a document whose shape concerns only the tools and the
 * code that fills the store: neither the host nor the tool runner looks inside.
 */

export type CustomerDocument = Readonly<Record<string, unknown>>;

export interface Customer {
  /** As it was last read or written. */
  readonly document: CustomerDocument;
  /**
   * Stores a change (a blocked card, a new claim) and returns the new document. `change` is called again if the
   * document was changed concurrently, so it must depend only on its argument.
   */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}
