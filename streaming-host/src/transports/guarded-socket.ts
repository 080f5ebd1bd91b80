/**
 * The limits that apply to every conversation socket, whatever its wire format: a peer that sends too fast or reads too slowly is
 * disconnected (FR-4, FR-5), and nothing is sent after the end.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { closedWith, closeReasons } from "./close-reasons.ts";
import type { CloseReason } from "./close-reasons.ts";
import { createRateLimit, maxUnsentBytes, messageRate } from "./message-limits.ts";
import type { Socket } from "./socket.ts";
import type { SessionNotice } from "./transport.ts";

export interface GuardedSocketEvents {
  onMessage(data: Uint8Array, isBinary: boolean): void;
  /** The peer sends too much; it is disconnected after this returns. */
  onTooFrequent(): void;
  onClosed(report: string): void;
}

export class GuardedSocket {
  readonly #socket: Socket;
  #isClosed = false;
  /** Why we closed it. A peer that does not read our close frame reports no code of its own. */
  #closedFor: CloseReason | undefined;

  constructor(socket: Socket, clock: Clock, events: GuardedSocketEvents) {
    const isWithinRate = createRateLimit(() => clock.now(), messageRate);
    this.#socket = socket;
    socket.onMessage = (data, isBinary) => {
      if (this.#isClosed) return;
      if (isWithinRate()) events.onMessage(data, isBinary);
      else {
        events.onTooFrequent();
        this.close("tooFrequent");
      }
    };
    socket.onClose = (report) => {
      this.#isClosed = true;
      const reason = this.#closedFor;
      events.onClosed(reason === undefined ? report : closedWith(closeReasons[reason].code, reason));
    };
  }

  /** Starts delivery with what arrived earlier. */
  start(): void {
    this.#socket.start();
  }

  /** Sends at once: for audio, and for messages that stop it. */
  send(data: string | Uint8Array): void {
    if (this.#isClosed) return;
    this.#socket.send(data);
    this.#checkReader();
  }

  /** For messages that accompany the audio and may arrive after it; they stay in order among each other. */
  notify(notice: SessionNotice, encode: () => string): void {
    if (this.#isClosed) return;
    if (comesBeforeAudio(notice)) this.#socket.sendSoon(encode());
    else this.#socket.sendAfterAudio(encode);
    this.#checkReader();
  }

  probe(onAnswered: () => void): void {
    if (!this.#isClosed) this.#socket.probe(onAnswered);
  }

  /** Idempotent. */
  close(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closedFor = reason;
    this.#socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  #checkReader(): void {
    if (this.#socket.unsentBytes > maxUnsentBytes) this.close("slowReader");
  }
}

/**
 * `session` is the first message (HS-1), and a client drops its buffered audio when it reads `barge_in`. Levels are reported just before a
 * frame is sent, and share its write.
 */
function comesBeforeAudio(notice: SessionNotice): boolean {
  return (
    notice.type === "session" ||
    notice.type === "audio_levels" ||
    (notice.type === "event" && notice.payload.name === "barge_in")
  );
}
