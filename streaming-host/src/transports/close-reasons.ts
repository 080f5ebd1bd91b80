/**
 * Every way in which we close a socket: the code and the reason that the peer reads. RFC 6455 section 7.4; 4xxx are our
 * own.
 */

export const closeReasons = {
  finished: { code: 1000, text: "conversation ended" },
  /** Also 1000, because a peer that reconnected at once would meet the same failure. */
  failed: { code: 1000, text: "what the conversation depends on has failed" },
  draining: { code: 1001, text: "host is restarting; reconnect with the same session id" },
  unsupportedData: { code: 1003, text: "unsupported data" },
  /** The text is the reason itself, worded for the peer. */
  refused: { code: 1008, text: "refused" },
  tooFrequent: { code: 1008, text: "too many messages" },
  tooLarge: { code: 1009, text: "message too large" },
  internal: { code: 1011, text: "internal error" },
  overloaded: { code: 1013, text: "at capacity, try again later" },
  slowReader: { code: 1013, text: "output is not being read" },
  handshakeTimeout: { code: 4408, text: "the session could not be opened in time" },
  replaced: { code: 4409, text: "replaced by a newer connection" },
} as const satisfies Record<string, { code: number; text: string }>;

export type CloseReason = keyof typeof closeReasons;
