/** The communication service at the other end of a media socket, and the call that it brings. */
import type { IncomingMessage } from "node:http";

/** The header by which the service says which call a media socket belongs to. */
const callConnectionHeader = "x-ms-call-connection-id";

export function callConnectionIdOf({ headers }: IncomingMessage): string | undefined {
  const value = headers[callConnectionHeader];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function isServicePeer(request: IncomingMessage): boolean {
  return callConnectionIdOf(request) !== undefined;
}
