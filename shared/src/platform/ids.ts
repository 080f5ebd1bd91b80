/** Identifiers. Session ids are bearer-like (anybody who knows one can watch the session), so they carry 128 random bits. */
import { randomBytes, randomUUID } from "node:crypto";

export type IdKind = "session" | "turn" | "call" | "host" | "event" | "profile" | "ticket";

export function createId(kind: IdKind): string {
  return `${kind}-${randomBytes(16).toString("base64url")}`;
}

export function createUuid(): string {
  return randomUUID();
}
