/** A protocol object as sent or received; not all of its fields are known. */
export type WireObject = Readonly<Record<string, unknown>>;
