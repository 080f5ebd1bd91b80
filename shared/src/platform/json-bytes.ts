/** How many bytes a value takes as JSON in UTF-8. Pure. */
export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
