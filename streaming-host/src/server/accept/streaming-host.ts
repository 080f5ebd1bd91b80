/**
 * The streaming host: accepts WebSockets, opens a channel for each by its route, and drains before it stops. It does
 * not know what runs on a socket.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { unlessLate } from "@voice/shared/platform/within-time";
import { closeReasons } from "../../transports/close-reasons.ts";
import type { Socket } from "../../transports/socket.ts";
import type { Admitted } from "./admission.ts";
import { isOnlooker, LiveConnections, onlookers } from "./live-connections.ts";
import type { ConnectionCounts, ConnectionKind, LiveConnection } from "./live-connections.ts";
import { pathOf, refusalOf, refuseUpgrade } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf, isServicePeer } from "./service-peer.ts";
import { matchStreamRoute } from "./stream-routes.ts";
import type { RouteMatch, StreamRoute } from "./stream-routes.ts";
import type { Upgrader, UpgradeRequest } from "./upgrade.ts";
import { formatTraceparent, parseTraceparent } from "@voice/shared/telemetry/traceparent";

/** An admitted socket and its request. */
export interface AcceptedSocket extends Pick<Admitted, "caller" | "traceparent" | "callId"> {
  readonly socket: Socket;
  readonly request: IncomingMessage;
  /** Called once everything that was opened on the socket has ended. */
  readonly onClosed: () => void;
}

export interface StreamingHostOptions {
  readonly limits: SocketLimits;
  /** People who are in a conversation are already late for their goodbye. */
  readonly isOverloaded: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly upgrader: Upgrader;
  /** Refuses a request before it becomes a socket: identifies the client and checks that what it asks for exists. */
  readonly admit: (request: IncomingMessage, route: StreamRoute) => Promise<Admitted | Refusal>;
  readonly open: (accepted: AcceptedSocket, route: StreamRoute) => Promise<LiveConnection>;
}

export interface SocketLimits {
  readonly maxSessions: number;
  readonly maxDashboards: number;
  /** Telephony sockets that have not sent their `open` yet. */
  readonly maxTelephonyOpenings: number;
}

/** ACCESS-23: one user has at most one of so many shares. */
const sharesOfDashboards = 4;

/** DRAIN-1: the time before the deadline that is kept for saying goodbye. */
const farewellMs = 5000;

/** HS-7: from the upgrade to the `session` message. Reading a session from the store takes milliseconds. */
const openingMs = 10_000;

/**
 * Node removed its own listener at the upgrade; without one, a connection reset would end the process. It stays for as long as the
 * socket does, and so would all that it closes over.
 */
function leftDuringUpgrade(logger: Logger): (error: Error) => void {
  return (error) => logger.debug({ error }, "a peer left during the upgrade");
}

export class StreamingHost {
  readonly #options: StreamingHostOptions;
  readonly #connections = new LiveConnections(() => this.#onPlacesChanged());
  readonly #watching = new PlacesOfUser();
  #draining: Promise<void> | undefined;
  #isSayingGoodbye = false;
  #onPlacesChanged = (): void => undefined;

  constructor(options: StreamingHostOptions) {
    this.#options = options;
  }

  /** `listener` is called whenever the number of places taken has changed. */
  whenPlacesChange(listener: () => void): void {
    this.#onPlacesChanged = listener;
  }

  /** False if the path is not ours; then nothing was written to the socket. */
  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const { logger } = this.#options;
    stream.on("error", leftDuringUpgrade(logger));
    const url = URL.parse(request.url ?? "/", "http://host");
    if (url === null) return false; // for instance "//", which Node lets through
    const match = matchStreamRoute(url, callConnectionIdOf(request));
    if (match.type === "unknown-path") return false;
    if (match.type === "invalid-query") {
      refuseUpgrade(stream, url.pathname, invalidQuery(match));
      return true;
    }
    this.#accept({ request, stream, head }, match.route).catch((error: unknown) => {
      logger.error({ error, code: toVoiceError(error).code }, "an upgrade failed");
      refuseUpgrade(stream, url.pathname, refusalOf(error));
    });
    return true;
  }

  counts(): ConnectionCounts {
    return this.#connections.counts();
  }

  /** Places taken by conversations, including those that are being opened. */
  get placesTaken(): number {
    return this.#connections.conversationCount;
  }

  get isDraining(): boolean {
    return this.#draining !== undefined;
  }

  /** DRAIN-1. Resolves when nothing is live any more, at the latest after `deadlineMs`. Idempotent. */
  drain(deadlineMs: number): Promise<void> {
    return (this.#draining ??= this.#drain(deadlineMs));
  }

  async #accept(asked: UpgradeRequest, route: StreamRoute): Promise<void> {
    const { request, stream } = asked;
    // Checked again, because another request may take the last place while this one is being examined.
    const isCall = kindOf(request, route) === "phone";
    const examined = this.#capacityRefusal(route, isCall) ?? (await this.#options.admit(request, route));
    const answer = this.#capacityRefusal(route, isCall) ?? this.#shareRefusal(examined) ?? examined;
    const { upgrader } = this.#options;
    if ("caller" in answer) upgrader.upgrade(asked, (socket) => void this.#openOrClose(socket, request, answer));
    else if (answer.closesFor === undefined) refuseUpgrade(stream, pathOf(request), answer);
    else {
      const { code, text } = closeReasons[answer.closesFor];
      upgrader.upgrade(asked, (socket) => socket.close(code, text));
    }
  }

  #capacityRefusal(route: StreamRoute, isCall: boolean): Refusal | undefined {
    if (this.isDraining) return notReady("This host is restarting.");
    const { limits, isOverloaded } = this.#options;
    if (route.kind !== "twilio" && isOnlooker(route.kind)) {
      const isFull = this.#connections.countOf(route.kind) >= limits.maxDashboards;
      return isFull ? notReady("This host has as many dashboards as it may have.") : undefined;
    }
    const places = isCall ? placesForCalls(limits) : limits.maxSessions;
    if (this.#connections.conversationCount >= places) return notReady("This host is at capacity.");
    if (route.kind === "telephony" && this.#connections.openingOf("telephony") >= limits.maxTelephonyOpenings)
      return notReady("Too many telephony sockets wait to be opened.");
    // The stream of a call that was already answered: refusing it would leave the caller in silence.
    if (!isCall && route.kind !== "media" && isOverloaded()) return notReady("This host is busy.");
    return undefined;
  }

  /** ACCESS-23: operators have to find a place, whatever one user holds. */
  #shareRefusal(examined: Admitted | Refusal): Refusal | undefined {
    if (!("caller" in examined) || examined.caller.isOperator || !isOnlookerRoute(examined.route)) return undefined;
    const share = Math.max(1, Math.floor(this.#options.limits.maxDashboards / sharesOfDashboards));
    if (this.#watching.takenBy(examined.caller.subject) < share) return undefined;
    return { status: 429, code: "rate_limited", detail: "You have as many dashboards open as one user may have here." };
  }

  async #openOrClose(socket: Socket, request: IncomingMessage, admitted: Admitted): Promise<void> {
    const { caller, route } = admitted;
    const opened = this.#connections.beginOpening(kindOf(request, route));
    const leave = isOnlookerRoute(route) ? this.#watching.take(caller.subject) : () => undefined;
    try {
      await this.#open(socket, request, admitted, leave);
    } catch (error) {
      leave();
      this.#options.logger[error instanceof BadRequestError ? "warn" : "error"](
        { error, code: toVoiceError(error).code },
        "what a socket asked for could not be opened",
      );
      if (error instanceof BadRequestError) socket.close(closeReasons.refused.code, error.message.slice(0, 120));
      else socket.close(closeReasons.internal.code, closeReasons.internal.text);
    } finally {
      opened();
    }
  }

  async #open(socket: Socket, request: IncomingMessage, admitted: Admitted, leave: () => void): Promise<void> {
    const { caller, route, callId } = admitted;
    const traceparent = admitted.traceparent ?? traceparentOf(request);
    let isClosed = false;
    let connection: LiveConnection | undefined;
    const onClosed = (): void => {
      isClosed = true;
      leave();
      if (connection !== undefined) this.#connections.remove(connection);
    };
    const cancelDeadline = this.#options.clock.setTimer(openingMs, () =>
      socket.close(closeReasons.handshakeTimeout.code, closeReasons.handshakeTimeout.text),
    );
    connection = await this.#options
      .open({ socket, request, caller, traceparent, callId, onClosed }, route)
      .finally(cancelDeadline);
    if (isClosed) return;
    this.#connections.add(connection, kindOf(request, route));
    const hasToGo = isOnlookerRoute(route) ? this.isDraining : this.#isSayingGoodbye;
    if (hasToGo) connection.drain();
  }

  async #drain(deadlineMs: number): Promise<void> {
    const { clock, logger, upgrader } = this.#options;
    const connections = this.#connections;
    logger.info({ live: connections.size }, "the host takes no more sockets and waits for those it has");
    const empty = connections.whenEmpty();
    const cancelGoodbye = clock.setTimer(Math.max(0, deadlineMs - farewellMs), () => this.#sayGoodbye());
    for (const kind of onlookers) connections.drain(kind);
    await unlessLate(clock, deadlineMs, empty);
    cancelGoodbye();
    await connections.close("draining");
    upgrader.close();
  }

  #sayGoodbye(): void {
    this.#isSayingGoodbye = true;
    this.#connections.drain();
  }
}

/**
 * FULL-4: places for answered calls are reserved in the fleet as a whole, not on the host that gets the stream. A
 * margin of a fifth evens that out, because a refused stream is silence on the line.
 */
function placesForCalls({ maxSessions }: SocketLimits): number {
  return maxSessions + Math.ceil(maxSessions / 5);
}

function isOnlookerRoute({ kind }: Pick<StreamRoute, "kind">): boolean {
  return kind !== "twilio" && isOnlooker(kind);
}

function kindOf(request: IncomingMessage, { kind }: Pick<StreamRoute, "kind">): ConnectionKind {
  if (kind === "twilio") return "phone";
  return kind === "media" && isServicePeer(request) ? "phone" : kind;
}

function notReady(detail: string): Refusal {
  return { status: 503, code: "dependency_not_ready", detail };
}

function invalidQuery({ field, problem }: Extract<RouteMatch, { type: "invalid-query" }>): Refusal {
  return {
    status: 400,
    code: "validation_error",
    detail: `Parameter ${field}: ${problem}`,
    errors: [{ field, message: problem, code: "format_invalid" }],
  };
}

/** Reads the trace that a socket belongs to from its request. Only a valid value, because it is stored and passed on. */
function traceparentOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const parent = parseTraceparent([headers["traceparent"]].flat()[0]);
  return parent && formatTraceparent(parent);
}

/** How many places each user has taken (ACCESS-23). */
class PlacesOfUser {
  readonly #taken = new Map<string, number>();

  takenBy(subject: string): number {
    return this.#taken.get(subject) ?? 0;
  }

  /** Call the returned function when the place is free again; further calls of it do nothing. */
  take(subject: string): () => void {
    this.#taken.set(subject, this.takenBy(subject) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.takenBy(subject) - 1;
      if (left > 0) this.#taken.set(subject, left);
      else this.#taken.delete(subject);
    };
  }
}
