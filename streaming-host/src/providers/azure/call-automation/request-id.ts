/** The service requires GUIDs as repetition ids, and ours are meaningful text. The same text gives the same GUID on every host. */
import { createHash } from "node:crypto";

export function toRepeatabilityId(requestId: string): string {
  const hex = createHash("sha256").update(requestId).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
