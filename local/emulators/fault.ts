/** The ways in which one connection to an emulated WebSocket service goes wrong. Each service names its own phases. */
export type Fault<Phase extends string> =
  /** The handshake is answered with this HTTP status. */
  | { readonly kind: "refuse"; readonly status: number }
  /** The handshake is never answered. */
  | { readonly kind: "hang" }
  /** The socket is closed with a WebSocket code. */
  | { readonly kind: "close"; readonly at: Phase; readonly code: number; readonly reason?: string }
  /** The TCP connection breaks. */
  | { readonly kind: "drop"; readonly at: Phase }
  /** The socket stays open, and nothing more is sent. */
  | { readonly kind: "silence"; readonly at: Phase }
  /** Every message is delayed by this much. */
  | { readonly kind: "slow"; readonly delayMs: number };
