/**
 * The service's end of a call's stream: connects to the transport address as a client, sends the metadata message, and
 * reconnects for a while when the connection breaks. The details that it reports are `MediaStreamingStatusDetails` of
 * `@azure/communication-call-automation` 1.6; what is not documented is in docs/vendors/communication-services.md.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { WebSocket } from "ws";
import { pause } from "@voice/shared/platform/pause";
import type { CallTokens } from "./call-tokens.ts";

/**
 * What the service does about a broken stream. Its documents do not say, so the product has to work with all of these:
 * it reconnects by itself, reports that the stream failed or stopped, or does not notice.
 */
export type OnBrokenStream = "opens it again" | "reports a failure" | "reports that it stopped" | "says nothing";

export interface StreamEvents {
  onStarted(details: "subscriptionStarted" | "streamConnectionReestablished"): void;
  /** The close code of a stream that the service did not end itself. */
  onInterrupted(code: number): void;
  onStopped(): void;
  /** No socket could be opened for the stream, or none stayed open. */
  onFailed(
    details: "initialWebSocketConnectionFailed" | "streamConnectionUnsuccessful" | "streamConnectionInterrupted",
    status: number,
  ): void;
}

export interface StreamOptions {
  readonly callConnectionId: string;
  readonly correlationId: string;
  readonly participant: string;
  readonly tokens: CallTokens;
  readonly clock: Clock;
  readonly onBroken: () => OnBrokenStream;
}

type ReportedStream = StreamOptions & { readonly events: StreamEvents };

const handshakeTimeoutMs = 15_000;
/** A close code from the application's range says that the other side does not want the stream again. */
const firstPrivateCode = 4000;
/** The delays between attempts to reopen a broken stream. */
const reconnectDelaysMs = [50, 100, 200, 400, 800, 1600, 3200];

export abstract class CallStream<Options extends ReportedStream = ReportedStream> {
  protected readonly options: Options;
  readonly #transportUrl: string;
  readonly #ending = new AbortController();
  #socket: WebSocket | undefined;
  #hasBeenOpen = false;

  constructor(options: Options, transportUrl: string) {
    this.options = options;
    this.#transportUrl = transportUrl;
  }

  /** Aborted once the stream has ended. */
  protected get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /** The first message on every connection. */
  protected abstract introduction(): unknown;
  abstract speak(frame: Int16Array): void;
  abstract press(key: string): void;

  protected receive(_text: string): void {
    // The other side has nothing to say to most streams.
  }

  start(): void {
    void this.#connect();
  }

  protected send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  end(): void {
    this.#ending.abort();
    this.#socket?.close(1000);
  }

  /** Cuts the connection as a network does. */
  break(): void {
    this.#socket?.terminate();
  }

  async #connect(): Promise<void> {
    const { clock, events, onBroken } = this.options;
    let status = 0;
    const delaysMs = onBroken() === "opens it again" ? [0, ...reconnectDelaysMs] : [0];
    for (const delayMs of delaysMs) {
      await pause(clock, delayMs, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      status = await this.#open();
      if (status === 101) return;
      // As with the real service, a refusal of the first attempt is final: a wrong address does not become right.
      if (!this.#hasBeenOpen && status !== 503 && status !== 0) break;
    }
    if (this.#ending.signal.aborted || onBroken() === "says nothing") return;
    events.onFailed(this.#hasBeenOpen ? "streamConnectionUnsuccessful" : "initialWebSocketConnectionFailed", status);
  }

  /** The status of the upgrade; 0 if nobody answered. */
  async #open(): Promise<number> {
    const { callConnectionId, correlationId, tokens, events } = this.options;
    const token = await tokens.issue("24h");
    return new Promise((resolve) => {
      const socket = new WebSocket(this.#transportUrl, {
        handshakeTimeout: handshakeTimeoutMs,
        perMessageDeflate: false,
        headers: {
          authorization: `Bearer ${token}`,
          "x-ms-call-connection-id": callConnectionId,
          "x-ms-call-correlation-id": correlationId,
        },
      });
      socket.on("open", () => {
        this.#socket = socket;
        // The call ended while the socket was being opened.
        if (this.#ending.signal.aborted) {
          socket.close(1000);
          resolve(101);
          return;
        }
        this.send(this.introduction());
        events.onStarted(this.#hasBeenOpen ? "streamConnectionReestablished" : "subscriptionStarted");
        this.#hasBeenOpen = true;
        resolve(101);
      });
      socket.on("message", (data: Buffer) => this.receive(data.toString("utf8")));
      socket.on("unexpected-response", (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on("error", () => resolve(0));
      socket.on("close", (code) => this.#onClosed(socket, code));
    });
  }

  #onClosed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (this.#ending.signal.aborted || code === 1000) return;
    const { events, onBroken } = this.options;
    events.onInterrupted(code);
    if (code >= firstPrivateCode) return;
    switch (onBroken()) {
      case "opens it again":
        return void this.#connect();
      case "reports a failure":
        return events.onFailed("streamConnectionInterrupted", 0);
      case "reports that it stopped":
        return events.onStopped();
      case "says nothing":
        return undefined;
    }
  }
}
