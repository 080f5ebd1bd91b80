/** Implements the transports' narrow socket port with the `ws` library. */
import type { Duplex } from "node:stream";
import { readMessages } from "@voice/provider-kit/web-socket/read-messages";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { RawData, WebSocket } from "ws";
import { closedWith, closeReasons } from "../../transports/close-reasons.ts";
import { createRateLimit, otherFrameRate } from "../../transports/message-limits.ts";
import type { Socket } from "../../transports/socket.ts";
import { SharedWrite } from "./shared-write.ts";
import { wholeFrame } from "./whole-frame.ts";

/** How long a peer may take to answer our close frame before the connection is cut. */
const closeGraceMs = 2000;

/**
 * HS-8: a peer may be silent for as long as it likes, but a dead one must not hold a session. It is pinged at this
 * interval, and cut off if it has sent nothing, not even a pong, by the next ping.
 */
export const keepAliveMs = 20_000;

/**
 * The socket is paused until `start`: the kernel buffers what arrives early and slows down a peer that sends too much.
 * `stream` is the connection under the WebSocket.
 */
export class WsSocket implements Socket {
  readonly #webSocket: WebSocket;
  readonly #stream: Duplex;
  readonly #stopReading: () => void;
  readonly #write: SharedWrite;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #isAlive = true;
  #cancelKeepAlive: CancelTimer | undefined;
  #probes = 0;
  #onAnswered: (() => void) | undefined;
  onMessage: Socket["onMessage"];
  onClose: Socket["onClose"];

  constructor(webSocket: WebSocket, stream: Duplex, clock: Clock, logger: Logger) {
    this.#webSocket = webSocket;
    this.#stream = stream;
    this.#write = new SharedWrite(
      stream,
      () => this.#isOpen,
      (error) => this.#fail(error, "a message to a peer made its session fail"),
    );
    this.#clock = clock;
    this.#logger = logger;
    webSocket.pause();
    webSocket.on("pong", (data: Buffer) => {
      this.#isAlive = true;
      if (data.toString() === `${this.#probes}`) this.#takeAnswer();
    });
    webSocket.on("message", (data: RawData, isBinary: boolean) => {
      if (Buffer.isBuffer(data)) this.#receive(data, isBinary);
    });
    const isWithinRate = createRateLimit(() => clock.now(), otherFrameRate);
    this.#stopReading = readMessages(
      webSocket,
      stream,
      "client",
      (data, isBinary) => this.#receive(data, isBinary),
      () => {
        if (this.#isOpen && !isWithinRate()) this.close(closeReasons.tooFrequent.code, closeReasons.tooFrequent.text);
      },
    );
    // A protocol violation or an oversized message: ws closes the socket itself (1002, 1007, 1009) and tells us why.
    webSocket.on("error", (error) => {
      logger.warn({ error }, "a peer broke the WebSocket protocol");
      this.#cutAfterGrace();
    });
    webSocket.once("close", (code) => {
      this.#cancelKeepAlive?.();
      this.onClose?.(closedWith(code));
    });
    this.#keepAlive();
  }

  start(): void {
    this.#webSocket.resume();
    if (this.#webSocket.readyState === this.#webSocket.CLOSED) this.onClose?.("closed before it began");
  }

  send(data: string | Uint8Array): void {
    if (this.#isOpen) this.#write.write(wholeFrame(data));
  }

  sendSoon(data: string): void {
    if (this.#isOpen) this.#write.hold(wholeFrame(data));
  }

  sendAfterAudio(encode: () => string): void {
    if (this.#isOpen) this.#write.holdAfterAudio(encode);
  }

  probe(onAnswered: () => void): void {
    this.#onAnswered = onAnswered;
    if (this.#isOpen) this.#webSocket.ping(`${++this.#probes}`);
  }

  close(code: number, reason: string): void {
    this.#write.flush();
    this.#webSocket.resume(); // so that the answer to our close frame is read
    this.#webSocket.close(code, reason);
    if (reason === closeReasons.tooFrequent.text) this.#leaveUnread();
    this.#cutAfterGrace();
  }

  get unsentBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#isAlive = true;
    try {
      this.onMessage?.(data, isBinary);
    } catch (error) {
      this.#fail(error, "a message from a peer made its session fail");
    }
  }

  #takeAnswer(): void {
    const onAnswered = this.#onAnswered;
    this.#onAnswered = undefined;
    onAnswered?.();
  }

  get #isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /** A peer that sends too much would keep the event loop busy until it is cut. It can still read why. */
  #leaveUnread(): void {
    this.#stopReading();
    this.#webSocket.pause();
    this.#stream.end();
  }

  #cutAfterGrace(): void {
    const cancelCut = this.#clock.setTimer(closeGraceMs, () => this.#webSocket.terminate());
    this.#webSocket.once("close", cancelCut);
  }

  /** A failure with a message may end only that peer's session. */
  #fail(error: unknown, what: string): void {
    this.#logger.error({ error }, what);
    this.close(closeReasons.internal.code, closeReasons.internal.text);
  }

  #keepAlive(): void {
    this.#cancelKeepAlive = this.#clock.setTimer(keepAliveMs, () => {
      if (!this.#isAlive) {
        this.#webSocket.terminate();
        return;
      }
      // A paused socket is not read, so its pong would not be seen; it counts as alive.
      this.#isAlive = this.#webSocket.isPaused;
      this.#webSocket.ping();
      this.#keepAlive();
    });
  }
}
