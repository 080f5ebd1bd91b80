/** The part of a WebSocket that transports use; implemented by `server/accept/ws-socket.ts`. */

export interface Socket {
  /** Starts delivery. Nothing is read before this call, so nothing that arrives early is lost or has to be buffered here. */
  start(): void;
  /**
   * Sent at once, after everything passed in before except what `sendAfterAudio` holds. Never throws. Bytes are copied before the call
   * returns.
   */
  send(data: string | Uint8Array): void;
  /**
   * Sent after everything passed in before. It may wait for a `send` or for the end of the event loop's turn, and then shares one write
   * with it.
   */
  sendSoon(data: string): void;
  /**
   * Encoded and sent at the end of the event loop's turn, or with the next `sendSoon`, so that audio need not wait for it. Calls of this
   * method keep their order.
   */
  sendAfterAudio(encode: () => string): void;
  /**
   * Sends a ping. The peer's response comes after everything that it had sent before receiving the ping, and never while the network
   * delivers nothing. A new probe replaces one without a response.
   */
  probe(onAnswered: () => void): void;
  /** Idempotent. */
  close(code: number, reason: string): void;
  /** Bytes buffered here that the peer has not accepted. */
  readonly unsentBytes: number;
  onMessage: ((data: Uint8Array, isBinary: boolean) => void) | undefined;
  onClose: ((reason: string) => void) | undefined;
}
