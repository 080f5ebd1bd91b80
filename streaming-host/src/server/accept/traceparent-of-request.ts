/** Reads the trace that a socket belongs to from its request. */
import type { IncomingMessage } from "node:http";
import { formatTraceparent, parseTraceparent } from "@voice/shared/telemetry/traceparent";

/** Only a valid value, because it is stored and passed on. */
export function traceparentOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const parent = parseTraceparent([headers["traceparent"]].flat()[0]);
  return parent && formatTraceparent(parent);
}
