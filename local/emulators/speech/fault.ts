/** The ways in which one connection to the emulated Speech service goes wrong. */

/** `open`: right after the handshake. `turn`: after turn.start. `middle`: after the first partial or audio. `end`: instead of the final or turn.end. */
export type FaultPhase = "open" | "turn" | "middle" | "end";

export type SpeechFault =
  /** The handshake is answered with this HTTP status. */
  | { readonly kind: "refuse"; readonly status: number }
  /** The handshake is never answered. */
  | { readonly kind: "hang" }
  /** The socket is closed with a WebSocket code (4429: quota; 1007: bad request). */
  | { readonly kind: "close"; readonly at: FaultPhase; readonly code: number; readonly reason?: string }
  /** The TCP connection breaks. */
  | { readonly kind: "drop"; readonly at: FaultPhase }
  /** The socket stays open and nothing more comes. */
  | { readonly kind: "silence"; readonly at: FaultPhase }
  /** Every message is late by this much. */
  | { readonly kind: "slow"; readonly delayMs: number };
