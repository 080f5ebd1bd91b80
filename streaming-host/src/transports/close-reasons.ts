/**
 * Every way in which we close a socket: the code and the reason that the peer reads. Codes as in RFC 6455 section 7.4; 4xxx are our own.
 */

export const closeReasons = {
  finished: { code: 1000, text: "conversation ended" },
  /** The socket has already closed, so no peer reads this. */
  lost: { code: 1011, text: "the connection was lost" },
  /** Also 1000, because a peer that reconnected at once would meet the same failure. */
  failed: { code: 1000, text: "what the conversation depends on has failed" },
  draining: { code: 1001, text: "host is restarting; reconnect with the same session id" },
  brokenProtocol: { code: 1002, text: "the WebSocket protocol was broken" },
  invalidText: { code: 1007, text: "text must be UTF-8" },
  unsupportedData: { code: 1003, text: "unsupported data" },
  /** The text is the reason itself, worded for the peer. */
  refused: { code: 1008, text: "refused" },
  tooFrequent: { code: 1008, text: "too many messages" },
  tooLarge: { code: 1009, text: "message too large" },
  internal: { code: 1011, text: "internal error" },
  overloaded: { code: 1013, text: "at capacity, try again later" },
  slowReader: { code: 1013, text: "output is not being read" },
  /** ACCESS-21. */
  tokenExpired: { code: 4401, text: "the access token has expired; connect with another ticket" },
  /** ACCESS-33. A browser shows its page no refusal of an upgrade, only a close code. At most 123 bytes. */
  foreignOrigin: {
    code: 4403,
    text: "pages of this origin may not use the service; CORS_ALLOWED_ORIGINS has to list it",
  },
  handshakeTimeout: { code: 4408, text: "the session could not be opened in time" },
  replaced: { code: 4409, text: "replaced by a newer connection" },
} as const satisfies Record<string, { code: number; text: string }>;

export type CloseReason = keyof typeof closeReasons;

/** How a socket's end is reported. With a reason, it was closed by us. */
export function closedWith(code: number, reason?: CloseReason): string {
  return `closed with ${code}${reason === undefined ? "" : ` (${reason})`}`;
}

/**
 * The codes of every end that the peer did not choose: the connection broke (1006), the server at the other end went away (1001), or one
 * side failed or cut the other off.
 */
const losses: ReadonlySet<number> = new Set([1001, 1006, 1008, 1009, 1011, 1012, 1013]);

/** Whether the report describes a lost connection rather than a peer that left. */
export function isLoss(report: string): boolean {
  return losses.has(Number(/^closed with (\d+)/.exec(report)?.[1]));
}
