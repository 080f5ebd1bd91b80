/** Turns a new WebSocket into a session whose settings the service has accepted, or rejects with the reason why it cannot. */
import { UpstreamAccessError, VoiceError, explainedError } from "@voice/shared/platform/errors";
import type { RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { RawData, WebSocket } from "ws";
import { AudioFirst } from "./audio-first.ts";
import type { RealtimeDialect } from "./dialect.ts";
import { readMessages } from "@voice/provider-kit/web-socket/read-messages";
import type { ParsedEvent } from "./parsed-event.ts";
import { readClosing } from "./server-errors.ts";
import type { SettingsNegotiation } from "./session-settings.ts";
import { ProtocolSession } from "./session.ts";
import type { ProtocolSessionOptions } from "./session.ts";
import { abortReason } from "@voice/shared/platform/unless-aborted";

export interface SessionOpeningOptions extends ProtocolSessionOptions {
  /** The longest wait from the first packet until the service has accepted the settings. */
  readonly openTimeoutMs: number;
  readonly signal: AbortSignal;
  /** The negotiation over which an earlier connection was closed. */
  readonly negotiation?: SettingsNegotiation | undefined;
}

/** The service does not have the model, or does not offer it for sessions. */
export class NoSuchModelError extends UpstreamAccessError {}

/** The service has closed the connection because of the settings. The next attempt at them can be sent over another connection. */
export class ClosedOverSettingsError extends VoiceError {
  readonly negotiation: SettingsNegotiation;

  constructor(negotiation: SettingsNegotiation, { message, reason }: VoiceError) {
    super("upstream_unavailable", message, { reason });
    this.negotiation = negotiation;
  }
}

/**
 * The service has understood a message and closes because of it: RFC 6455, 7.4.1, and the codes of applications. Not an outage or a
 * restart.
 */
const refusesByClosing = (code: number): boolean => [1003, 1007, 1008].includes(code) || code >= 3000;

const noSuchModel = ({ message, reason }: VoiceError): NoSuchModelError => new NoSuchModelError(message, reason);

export function openSession(socket: WebSocket, options: SessionOpeningOptions): Promise<RealtimeSession> {
  const opened = Promise.withResolvers<RealtimeSession>();
  new SessionOpening(socket, options, opened).begin(options);
  return opened.promise;
}

class SessionOpening {
  readonly #socket: WebSocket;
  readonly #dialect: RealtimeDialect;
  readonly #session: ProtocolSession;
  readonly #events: AudioFirst;
  readonly #negotiation: SettingsNegotiation | undefined;
  #isReady = false;
  /** Before this, no settings were sent, so a rejection is about the model, which is part of the address. */
  #wasCreated = false;
  /** The first rejection; later ones are about the remaining settings. */
  #refusal: VoiceError | undefined;
  /** Both are cleared once the session is open or cannot be opened, because this object lives as long as the socket. */
  #opened: PromiseWithResolvers<RealtimeSession> | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(socket: WebSocket, options: SessionOpeningOptions, opened: PromiseWithResolvers<RealtimeSession>) {
    this.#socket = socket;
    this.#dialect = options.dialect;
    this.#session = new ProtocolSession(socket, options);
    this.#events = new AudioFirst((text) => this.#session.receive(this.#dialect.parse(text)), options.clock);
    this.#negotiation = options.negotiation;
    this.#opened = opened;
  }

  begin({ openTimeoutMs, clock, signal }: SessionOpeningOptions): void {
    const cancelDeadline = clock.setTimer(openTimeoutMs, () =>
      this.#fail(
        explainedError("upstream_timeout", `the realtime model did not open a session in ${openTimeoutMs} ms`),
      ),
    );
    const onAbort = (): void => this.#fail(abortReason(signal));
    signal.addEventListener("abort", onAbort, { once: true });
    this.#stopWaiting = () => {
      cancelDeadline();
      signal.removeEventListener("abort", onAbort);
    };
    this.#listen();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      this.#fail(toHandshakeError(response.statusCode ?? 0));
    });
    socket.on("error", () => this.#lose("the connection to the realtime model failed"));
    socket.on("close", (code, reason) => {
      if (!this.#isReady) this.#failAsClosed(code, reason.toString("utf8"));
      this.#lose(`the realtime model closed the connection with ${code}`);
    });
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (!isBinary && Buffer.isBuffer(data)) this.#receive(data);
    });
    socket.once("upgrade", ({ socket: connection }) => {
      socket.once("open", () =>
        readMessages(socket, connection, "server", (data, isBinary) => {
          if (!isBinary) this.#receive(data);
        }),
      );
    });
  }

  #receive(data: Buffer): void {
    const text = data.toString("utf8");
    if (this.#isReady) this.#events.push(text);
    else this.#proceed(this.#dialect.parse(text));
  }

  #proceed(event: ParsedEvent): void {
    if (event.type === "session-created") {
      this.#wasCreated = true;
      this.#session.sendSettings(this.#negotiation);
    }
    if (event.type === "refused") {
      this.#refusal ??= this.#wasCreated ? event.error : noSuchModel(event.error);
      if (this.#session.exchange.takeRefused(event, { isOpening: true }) !== "repaired") this.#fail(this.#refusal);
    }
    if (event.type === "error" || event.type === "update-failed" || event.type === "session-over")
      this.#fail(event.error);
    if (event.type === "warning") this.#session.exchange.takeWarning(event);
    if (event.type !== "session-updated" || !this.#session.exchange.takeUpdated(event)) return;
    this.#isReady = true;
    this.#settle()?.resolve(this.#session);
  }

  /**
   * A service may report what is wrong with the model or the settings in an `error` before it closes, or in the reason with which it
   * closes.
   */
  #failAsClosed(code: number, reason: string): void {
    const { negotiation } = this.#session.exchange;
    if (negotiation !== undefined && this.#refusal !== undefined) {
      this.#fail(new ClosedOverSettingsError(negotiation, this.#refusal));
      return;
    }
    const event = refusesByClosing(code) ? readClosing(code, reason) : undefined;
    if (event?.type === "refused" && negotiation === undefined) this.#fail(noSuchModel(event.error));
    else if (event?.type === "refused" && negotiation?.refused(event.refusal) === true)
      this.#fail(new ClosedOverSettingsError(negotiation, event.error));
    else if (event !== undefined && "error" in event) this.#fail(event.error);
  }

  #lose(message: string): void {
    const error = explainedError("upstream_unavailable", message);
    if (!this.#isReady) {
      this.#fail(error);
      return;
    }
    this.#events.handleWaiting();
    this.#session.end(error);
  }

  #fail(error: Error): void {
    const opened = this.#settle();
    // The session is closed first, so that its listener is not also notified of a failure that the caller of `open` receives.
    this.#session.close();
    this.#socket.terminate();
    opened?.reject(error);
  }

  #settle(): PromiseWithResolvers<RealtimeSession> | undefined {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    return opened;
  }
}

function toHandshakeError(status: number): VoiceError {
  const message = `the realtime model refused the connection (${status})`;
  const reason = `the realtime model's endpoint answered ${status}`;
  if (status === 429) return new VoiceError("rate_limited", message, { reason });
  // Azure responds with 404 if there is no such deployment, and with 400 if there is one whose model cannot hold sessions.
  if (status === 400 || status === 404) return new NoSuchModelError(message, reason);
  if (status === 401 || status === 403) return new UpstreamAccessError(message, reason);
  return new VoiceError("upstream_unavailable", message, { retryable: status >= 500, reason });
}
