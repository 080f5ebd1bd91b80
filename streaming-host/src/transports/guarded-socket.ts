/**
 * The limits that apply to every conversation socket, whatever its wire format: a peer that sends too fast or reads too
 * slowly is closed (FR-4, FR-5), and nothing is sent after the end.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { closeReasons } from "./close-reasons.ts";
import type { CloseReason } from "./close-reasons.ts";
import { createRateLimit, maxUnsentBytes, messageRate } from "./message-limits.ts";
import type { Socket } from "./socket.ts";
import type { SessionNotice } from "./transport.ts";

export interface GuardedSocketEvents {
  onMessage(data: Uint8Array, isBinary: boolean): void;
  /** The peer sends too much; it is closed after this returns. */
  onTooFrequent(): void;
  onClosed(reason: string): void;
}

export interface GuardedSocket {
  /** Begins delivery, starting with what arrived early. */
  start(): void;
  /** Sent at once: for audio, and for messages that stop it. */
  send(data: string | Uint8Array): void;
  /** May share a write with what follows, in order: for messages that accompany the audio. */
  notify(type: SessionNotice["type"], text: string): void;
  /** Idempotent. */
  close(reason: CloseReason): void;
}

export function guardSocket(socket: Socket, clock: Clock, events: GuardedSocketEvents): GuardedSocket {
  const isWithinRate = createRateLimit(() => clock.now(), messageRate);
  let closed = false;

  function close(reason: CloseReason): void {
    if (closed) return;
    closed = true;
    socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  function checkReader(): void {
    if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
  }

  socket.onMessage = (data, isBinary) => {
    if (closed) return;
    if (isWithinRate()) events.onMessage(data, isBinary);
    else {
      events.onTooFrequent();
      close("tooFrequent");
    }
  };
  socket.onClose = (reason) => {
    closed = true;
    events.onClosed(reason);
  };

  return {
    start: () => socket.start(),
    send(data) {
      if (closed) return;
      socket.send(data);
      checkReader();
    },
    notify(type, text) {
      if (closed) return;
      // Levels come ten times a second without another message to share a write with, so waiting would only cost
      // another turn of the event loop.
      if (type === "audio_levels") socket.send(text);
      else socket.sendSoon(text);
      checkReader();
    },
    close,
  };
}
