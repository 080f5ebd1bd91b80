/** Identifiers. Session ids are bearer-like (anybody who knows one can watch the session), so they carry 128 random bits. */
import { randomBytes, randomUUID } from "node:crypto";

export type IdKind = "session" | "turn" | "call" | "host" | "event" | "profile" | "ticket" | "trial";

export function createId(kind: IdKind): string {
  return `${kind}-${randomBytes(16).toString("base64url")}`;
}

/**
 * Whether it can only be a session's id. Clients may choose ids, and may write names, numbers or addresses in them; those of
 * this service, and GUIDs, hold nothing but random characters.
 */
export function isOpaqueSessionId(id: string): boolean {
  return /^(?:session-[\w-]{22}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(id);
}

export function createUuid(): string {
  return randomUUID();
}
