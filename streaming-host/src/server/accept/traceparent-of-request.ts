/** The trace that a socket belongs to, as its request says. */
import type { IncomingMessage } from "node:http";
import { formatTraceparent, parseTraceparent } from "@voice/shared/telemetry/traceparent";

/** Only what is valid: it is stored, and handed on. */
export function traceparentOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const parent = parseTraceparent([headers["traceparent"]].flat()[0]);
  return parent && formatTraceparent(parent);
}
