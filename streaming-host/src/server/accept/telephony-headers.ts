/** Reads the telephony platform's request headers, which the hook protocol's `open` repeats. */
import type { IncomingMessage } from "node:http";

export function hookHeader({ headers }: IncomingMessage, name: "organization-id" | "session-id"): string | undefined {
  const value = headers[`audiohook-${name}`];
  return typeof value === "string" && value !== "" ? value : undefined;
}
