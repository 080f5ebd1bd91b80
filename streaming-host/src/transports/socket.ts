/** The part of a WebSocket that transports use; `server/accept/ws-socket.ts` adapts the real one. */

export interface Socket {
  /** Begins delivery. Nothing is read before, so nothing that arrives early is lost or has to be kept here. */
  start(): void;
  /** Goes out at once, behind everything that was given before. Never throws. Bytes are copied before the call returns. */
  send(data: string | Uint8Array): void;
  /** The same, but may wait for a `send` or for the end of the event loop's turn, and goes out in one write with them. */
  sendSoon(data: string): void;
  /** Idempotent. */
  close(code: number, reason: string): void;
  /** Bytes queued here that the peer has not taken. */
  readonly unsentBytes: number;
  onMessage: ((data: Uint8Array, isBinary: boolean) => void) | undefined;
  onClose: ((reason: string) => void) | undefined;
}
