/** The part of a WebSocket that transports use; implemented by `server/accept/ws-socket.ts`. */

export interface Socket {
  /** Begins delivery. Nothing is read before, so nothing that arrives early is lost or has to be buffered here. */
  start(): void;
  /**
   * Sent at once, after everything that was passed in before except what `sendAfterAudio` holds. Never throws. Bytes are
   * copied before the call returns.
   */
  send(data: string | Uint8Array): void;
  /**
   * After everything that was passed in before. May wait for a `send` or for the end of the event loop's turn, and is then
   * sent in one write with it.
   */
  sendSoon(data: string): void;
  /**
   * Encoded and sent at the end of the event loop's turn, or with the next `sendSoon`, so that audio need not wait for it.
   * In order among what is passed in here.
   */
  sendAfterAudio(encode: () => string): void;
  /**
   * Asks the peer for a sign of life. Its answer comes after everything that it had sent before it was asked, and never where
   * the network brings nothing. A further question replaces one that was not answered.
   */
  probe(onAnswered: () => void): void;
  /** Idempotent. */
  close(code: number, reason: string): void;
  /** Bytes buffered here that the peer has not taken. */
  readonly unsentBytes: number;
  onMessage: ((data: Uint8Array, isBinary: boolean) => void) | undefined;
  onClose: ((reason: string) => void) | undefined;
}
