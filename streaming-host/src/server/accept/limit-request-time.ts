/** How long a peer may take to send its request; Node's defaults are a minute for headers and five for a body. */
import type { Server } from "node:http";

const headersMs = 10_000;
/** The time for one megabyte over a line of 300 kbit/s. */
const requestMs = 30_000;

export function limitRequestTime(server: Server): void {
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
}
