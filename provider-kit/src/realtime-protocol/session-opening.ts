/**
 * Takes a new WebSocket to a session whose settings the service has accepted, or rejects with the reason why it cannot.
 */
import type { CancelTimer } from "@voice/shared/platform/clock";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { RawData, WebSocket } from "ws";
import { AudioFirst } from "./audio-first.ts";
import { readMessages } from "@voice/provider-kit/web-socket/read-messages";
import type { ParsedEvent } from "./server-events.ts";
import { ProtocolSession } from "./session.ts";
import type { ProtocolSessionOptions } from "./session.ts";

export interface SessionOpeningOptions extends ProtocolSessionOptions {
  /** From the first packet until the service has accepted the settings. */
  readonly openTimeoutMs: number;
  readonly signal: AbortSignal;
}

export class SessionOpening {
  readonly #socket: WebSocket;
  readonly #options: SessionOpeningOptions;
  readonly #session: ProtocolSession;
  readonly #opened = Promise.withResolvers<RealtimeSession>();
  readonly #onAbort: () => void;
  readonly #cancelDeadline: CancelTimer;
  readonly #events = new AudioFirst((text) => this.#session.receive(this.#options.dialect.parse(text)));
  #isReady = false;

  constructor(socket: WebSocket, options: SessionOpeningOptions) {
    const { openTimeoutMs, clock, signal } = options;
    this.#socket = socket;
    this.#options = options;
    this.#session = new ProtocolSession(socket, options);
    this.#cancelDeadline = clock.setTimer(openTimeoutMs, () =>
      this.#fail(
        new VoiceError("upstream_timeout", `the realtime model did not open a session in ${openTimeoutMs} ms`),
      ),
    );
    this.#onAbort = () =>
      this.#fail(signal.reason instanceof Error ? signal.reason : new DOMException("aborted", "AbortError"));
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#listen();
  }

  get opened(): Promise<RealtimeSession> {
    return this.#opened.promise;
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      this.#fail(toHandshakeError(response.statusCode ?? 0));
    });
    socket.on("error", () => this.#lose("the connection to the realtime model failed"));
    socket.on("close", (code) => this.#lose(`the realtime model closed the connection (${code})`));
    const receive = (data: Buffer): void => {
      const text = data.toString("utf8");
      if (this.#isReady) this.#events.push(text);
      else this.#proceed(this.#options.dialect.parse(text));
    };
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (!isBinary && Buffer.isBuffer(data)) receive(data);
    });
    socket.once("upgrade", ({ socket: connection }) => {
      socket.once("open", () =>
        readMessages(socket, connection, "server", (data, isBinary) => {
          if (!isBinary) receive(data);
        }),
      );
    });
  }

  #proceed(event: ParsedEvent): void {
    if (event.type === "session-created") this.#session.sendSettings();
    if (event.type === "part-refused" && !this.#session.updateWithout(event.part)) this.#fail(event.error);
    if (event.type === "error") this.#fail(event.error);
    if (event.type !== "session-updated") return;
    this.#isReady = true;
    this.#settle();
    this.#opened.resolve(this.#session);
  }

  #lose(message: string): void {
    const error = new VoiceError("upstream_unavailable", message);
    if (!this.#isReady) {
      this.#fail(error);
      return;
    }
    this.#events.handleWaiting();
    this.#session.end(error);
  }

  #fail(error: Error): void {
    this.#settle();
    // The session is closed first, so that its listener is not also told of a failure that the caller of `open`
    // receives.
    this.#session.close();
    this.#socket.terminate();
    this.#opened.reject(error);
  }

  #settle(): void {
    this.#cancelDeadline();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }
}

function toHandshakeError(status: number): VoiceError {
  const message = `the realtime model refused the connection (${status})`;
  const reason = `the realtime model's endpoint answered ${status}`;
  if (status === 429) return new VoiceError("rate_limited", message, { reason });
  if (status === 401 || status === 403 || status === 404) return new UpstreamAccessError(message, reason);
  return new VoiceError("upstream_unavailable", message, { retryable: status >= 500, reason });
}
