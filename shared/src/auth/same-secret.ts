/** Compares what somebody presents with a secret, in the same time for every guess. */
import { createHash, timingSafeEqual } from "node:crypto";

export function isSameSecret(presented: string, secret: string): boolean {
  // Digests all have the same length.
  return timingSafeEqual(digest(presented), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
