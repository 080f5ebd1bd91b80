/** The service wants GUIDs as repetition ids; ours say what they stand for. The same text gives the same GUID anywhere. */
import { createHash } from "node:crypto";

export function toRepeatabilityId(requestId: string): string {
  const hex = createHash("sha256").update(requestId).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
