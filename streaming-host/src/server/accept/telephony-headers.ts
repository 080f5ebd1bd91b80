/** How the telephony platform says in its request what the hook protocol's `open` says again. */
import type { IncomingMessage } from "node:http";

export function hookHeader({ headers }: IncomingMessage, name: "organization-id" | "session-id"): string | undefined {
  const value = headers[`audiohook-${name}`];
  return typeof value === "string" && value !== "" ? value : undefined;
}
