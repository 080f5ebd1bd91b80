/**
 * The streaming host: accepts WebSockets, opens sessions on them, knows which are live, and drains. It owns sockets and
 * sessions; what a session does is none of its business.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { maxMessageBytes } from "../transports/message-limits.ts";
import { closeReasons } from "../transports/close-reasons.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import { refusalOf, refuseUpgrade } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf } from "./service-peer.ts";
import { matchStreamRoute } from "./stream-routes.ts";
import type { StreamRoute } from "./stream-routes.ts";
import { chooseSubprotocol } from "./subprotocol.ts";

/** Something live on a socket that has to be ended before the host may stop. */
export interface LiveConnection {
  /** Says goodbye where there is somebody to say it to. */
  drain(): void;
  close(reason: CloseReason): Promise<void>;
}

export interface StreamingHostOptions {
  readonly maxSessions: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Refuses a request before it becomes a socket: who is it, and is what it asks for there? */
  readonly admit: (request: IncomingMessage, route: StreamRoute) => Promise<Refusal | undefined>;
  readonly open: (
    socket: WebSocket,
    request: IncomingMessage,
    route: StreamRoute,
    onClosed: () => void,
  ) => Promise<LiveConnection>;
}

/** Open now, by route, and since the host started. */
export type ConnectionCounts = Readonly<Record<StreamRoute["kind"] | "connected" | "disconnected", number>>;

export interface StreamingHost {
  /** False when the path is not ours; then nothing was written to the socket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  counts(): ConnectionCounts;
  readonly isDraining: boolean;
  /** DRAIN-1. Resolves when nothing is live any more, at the latest after `deadlineMs`. Idempotent. */
  drain(deadlineMs: number): Promise<void>;
}

/** DRAIN-1: what is left before the deadline for saying goodbye. */
const farewellMs = 5000;

/** HS-7: from the upgrade to the `session` message. Reading a session from the store takes milliseconds. */
const openingMs = 10_000;

export function createStreamingHost(options: StreamingHostOptions): StreamingHost {
  const { logger } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: chooseSubprotocol,
  });
  const live = new Map<LiveConnection, StreamRoute["kind"]>();
  let opening = 0;
  let openingConversations = 0;
  let connected = 0;
  let disconnected = 0;
  let draining: Promise<void> | undefined;
  let onEmpty: (() => void) | undefined;
  let sayingGoodbye = false;

  function counts(): ConnectionCounts {
    const open: Record<StreamRoute["kind"], number> = {
      browser: 0,
      dashboard: 0,
      media: 0,
      "media-session": 0,
      telephony: 0,
    };
    for (const kind of live.values()) open[kind]++;
    return { ...open, connected, disconnected };
  }

  function conversationCount(): number {
    return live.size - counts().dashboard + openingConversations;
  }

  function reportIfEmpty(): void {
    if (live.size + opening === 0) onEmpty?.();
  }

  function capacityRefusal(route: StreamRoute): Refusal | undefined {
    if (draining !== undefined)
      return { status: 503, code: "dependency_not_ready", detail: "This host is restarting." };
    if (route.kind !== "dashboard" && conversationCount() >= options.maxSessions)
      return { status: 503, code: "dependency_not_ready", detail: "This host is at capacity." };
    return undefined;
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer, route: StreamRoute): Promise<void> {
    const path = request.url?.split("?", 1)[0] ?? "/";
    const refusal = capacityRefusal(route) ?? (await options.admit(request, route)) ?? capacityRefusal(route);
    if (refusal !== undefined) {
      refuseUpgrade(socket, path, refusal);
      return;
    }
    // The callback runs before this returns, or never: ws answers a malformed handshake itself.
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const weight = route.kind === "dashboard" ? 0 : 1;
      opening++;
      openingConversations += weight;
      openOn(webSocket, request, route)
        .catch((error: unknown) => {
          logger.error({ error, code: toVoiceError(error).code }, "a session could not be opened");
          webSocket.resume(); // the peer's answer to our close frame has to be read
          if (error instanceof BadRequestError) webSocket.close(closeReasons.refused.code, error.message.slice(0, 120));
          else webSocket.close(closeReasons.internal.code, closeReasons.internal.text);
        })
        .finally(() => {
          opening--;
          openingConversations -= weight;
          reportIfEmpty();
        });
    });
  }

  async function openOn(webSocket: WebSocket, request: IncomingMessage, route: StreamRoute): Promise<void> {
    let isClosed = false;
    let connection: LiveConnection | undefined;
    const leave = (): void => {
      isClosed = true;
      if (connection !== undefined && live.delete(connection)) disconnected++;
      reportIfEmpty();
    };
    const cancelDeadline = options.clock.setTimer(openingMs, () => {
      webSocket.resume();
      webSocket.close(closeReasons.handshakeTimeout.code, closeReasons.handshakeTimeout.text);
    });
    connection = await options.open(webSocket, request, route, leave).finally(cancelDeadline);
    if (isClosed) return;
    live.set(connection, route.kind);
    connected++;
    if (sayingGoodbye) connection.drain();
  }

  async function runDrain(deadlineMs: number): Promise<void> {
    logger.info({ live: live.size }, "draining");
    const { clock } = options;
    const goodbyeAtMs = Math.max(0, deadlineMs - farewellMs);
    const cancels: CancelTimer[] = [];
    await new Promise<void>((resolve) => {
      onEmpty = resolve;
      cancels.push(clock.setTimer(goodbyeAtMs, sayGoodbye), clock.setTimer(deadlineMs, resolve));
      for (const [connection, kind] of live) if (kind === "dashboard") connection.drain();
      if (goodbyeAtMs === 0) sayGoodbye();
      reportIfEmpty();
    });
    for (const cancel of cancels) cancel();
    await Promise.allSettled([...live.keys()].map((connection) => connection.close("draining")));
    server.close();
  }

  function sayGoodbye(): void {
    sayingGoodbye = true;
    for (const connection of live.keys()) connection.drain();
  }

  return {
    handleUpgrade(request, socket, head) {
      // Node took its own listener away with the upgrade; without one, a reset connection would end the process.
      socket.on("error", (error) => logger.debug({ error }, "a peer left during the upgrade"));
      const url = URL.parse(request.url ?? "/", "http://host");
      if (url === null) return false; // for instance "//", which Node lets through
      const match = matchStreamRoute(url, callConnectionIdOf(request));
      if (match.type === "unknown-path") return false;
      if (match.type === "invalid-query") {
        const { field, problem } = match;
        refuseUpgrade(socket, url.pathname, {
          status: 400,
          code: "validation_error",
          detail: `Query parameter ${field}: ${problem}`,
          errors: [{ field, message: problem, code: "format_invalid" }],
        });
        return true;
      }
      accept(request, socket, head, match.route).catch((error: unknown) => {
        logger.error({ error, code: toVoiceError(error).code }, "an upgrade failed");
        refuseUpgrade(socket, url.pathname, refusalOf(error));
      });
      return true;
    },
    counts,
    get isDraining() {
      return draining !== undefined;
    },
    drain: (deadlineMs) => (draining ??= runDrain(deadlineMs)),
  };
}
