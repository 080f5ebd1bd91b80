/** An object of a protocol as it is sent or was received, whose fields are not all known. */
export type WireObject = Readonly<Record<string, unknown>>;
