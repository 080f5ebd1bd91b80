/**
 * Whom a session's tools act for. What is known of a customer is a document, whose shape is a matter between the tools that
 * act on it and whoever fills the store: neither the host nor the tool runner looks inside.
 */

export type CustomerDocument = Readonly<Record<string, unknown>>;

export interface Customer {
  /** As it was last read or written. */
  readonly document: CustomerDocument;
  /**
   * Keeps a change (a blocked card, a new claim); gives the document as it is then. `change` is asked again when somebody
   * else has changed the document meanwhile, so it must decide by what it is given.
   */
  update(change: (document: CustomerDocument) => CustomerDocument): Promise<CustomerDocument>;
}
