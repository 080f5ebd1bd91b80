/**
 * What every conversation socket needs before its own wire format begins: early messages wait until the session is open,
 * a peer that sends too fast or reads too slowly is closed (FR-4, FR-5), and nothing is sent after the end.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { closeReasons } from "./close-reasons.ts";
import type { CloseReason } from "./close-reasons.ts";
import { createRateLimit, maxUnsentBytes } from "./message-limits.ts";
import type { Socket } from "./socket.ts";

export interface GuardedSocketEvents {
  onMessage(data: Uint8Array, isBinary: boolean): void;
  /** The peer sends too much; it is closed after this returns. */
  onTooFrequent(): void;
  onClosed(reason: string): void;
}

export interface GuardedSocket {
  readonly isClosed: boolean;
  /** Delivers what arrived early, in order, then everything as it comes. */
  start(): void;
  send(data: string | Uint8Array): void;
  /** Idempotent. */
  close(reason: CloseReason): void;
}

/** What may arrive before the session is open: 3 s of audio in 20 ms messages. */
const maxEarlyMessages = 150;

export function guardSocket(socket: Socket, clock: Clock, events: GuardedSocketEvents): GuardedSocket {
  const isWithinRate = createRateLimit(() => clock.now());
  let early: { data: Uint8Array; isBinary: boolean }[] | undefined = [];
  let closed = false;

  function close(reason: CloseReason): void {
    if (closed) return;
    closed = true;
    socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  function receive(data: Uint8Array, isBinary: boolean): void {
    if (closed) return;
    if (!isWithinRate()) {
      events.onTooFrequent();
      close("tooFrequent");
      return;
    }
    if (early === undefined) events.onMessage(data, isBinary);
    // The socket's buffer is reused after this call, so an early message is copied.
    else if (early.length < maxEarlyMessages) early.push({ data: Uint8Array.from(data), isBinary });
  }

  socket.onMessage = receive;
  socket.onClose = (reason) => {
    closed = true;
    events.onClosed(reason);
  };

  return {
    get isClosed() {
      return closed;
    },
    start() {
      const waiting = early ?? [];
      early = undefined;
      for (const message of waiting) if (!closed) events.onMessage(message.data, message.isBinary);
    },
    send(data) {
      if (closed) return;
      socket.send(data);
      if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
    },
    close,
  };
}
