/** How long a peer may take to send its request; Node's defaults are a minute for headers and five for a body. */

/** For `createServer`. */
export const requestTimes = {
  headersTimeout: 10_000,
  /** The time for one megabyte over a line of 300 kbit/s. */
  requestTimeout: 30_000,
  /** How often Node looks for late ones: every 30 s unless told, so that ten seconds could become forty. */
  connectionsCheckingInterval: 2000,
} as const;
