/**
 * The streaming host: accepts WebSockets, opens sessions on them, knows which are live, and drains. It owns sockets and
 * sessions; what a session does is none of its business.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { maxMessageBytes } from "../transports/message-limits.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import { refusalOf, refuseUpgrade } from "./refuse-upgrade.ts";
import type { Refusal } from "./refuse-upgrade.ts";
import { callConnectionIdOf } from "./service-peer.ts";
import { matchStreamRoute } from "./stream-routes.ts";
import type { StreamRoute } from "./stream-routes.ts";

/** Something live on a socket that has to be ended before the host may stop. */
export interface LiveConnection {
  /** Says goodbye where there is somebody to say it to. */
  drain(): void;
  close(reason: CloseReason): Promise<void>;
}

export interface StreamingHostOptions {
  readonly maxSessions: number;
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

const retryAfterSeconds = 5;

export function createStreamingHost(options: StreamingHostOptions): StreamingHost {
  const { logger } = options;
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const live = new Map<LiveConnection, StreamRoute["kind"]>();
  let opening = 0;
  let connected = 0;
  let disconnected = 0;
  let draining: Promise<void> | undefined;
  let onEmpty: (() => void) | undefined;

  function counts(): ConnectionCounts {
    const open: Record<StreamRoute["kind"], number> = { browser: 0, dashboard: 0, media: 0, "media-session": 0 };
    for (const kind of live.values()) open[kind]++;
    return { ...open, connected, disconnected };
  }

  function conversationCount(): number {
    return live.size - counts().dashboard;
  }

  function capacityRefusal(route: StreamRoute): Refusal | undefined {
    if (draining !== undefined)
      return { status: 503, code: "dependency_not_ready", detail: "This host is restarting.", retryAfterSeconds };
    if (route.kind !== "dashboard" && conversationCount() + opening >= options.maxSessions)
      return { status: 503, code: "dependency_not_ready", detail: "This host is at capacity.", retryAfterSeconds };
    return undefined;
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer, route: StreamRoute): Promise<void> {
    const path = request.url?.split("?", 1)[0] ?? "/";
    const refusal = capacityRefusal(route) ?? (await options.admit(request, route)) ?? capacityRefusal(route);
    if (refusal !== undefined) {
      refuseUpgrade(socket, path, refusal);
      return;
    }
    opening++;
    server.handleUpgrade(request, socket, head, (webSocket) => {
      openOn(webSocket, request, route)
        .catch((error: unknown) => {
          logger.error({ error, code: toVoiceError(error).code }, "a session could not be opened");
          webSocket.close(1011, error instanceof BadRequestError ? error.message : "internal error");
        })
        .finally(() => opening--);
    });
  }

  async function openOn(webSocket: WebSocket, request: IncomingMessage, route: StreamRoute): Promise<void> {
    let isClosed = false;
    let connection: LiveConnection | undefined;
    const leave = (): void => {
      isClosed = true;
      if (connection !== undefined && live.delete(connection)) disconnected++;
      if (live.size === 0) onEmpty?.();
    };
    connection = await options.open(webSocket, request, route, leave);
    if (isClosed) return;
    live.set(connection, route.kind);
    connected++;
    if (draining !== undefined) connection.drain();
  }

  async function runDrain(deadlineMs: number): Promise<void> {
    logger.info({ live: live.size }, "draining");
    const empty = new Promise<void>((resolve) => {
      onEmpty = resolve;
    });
    for (const connection of live.keys()) connection.drain();
    if (live.size > 0) {
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, deadlineMs);
      });
      await Promise.race([empty, deadline]);
      clearTimeout(timer);
    }
    await Promise.allSettled([...live.keys()].map((connection) => connection.close("draining")));
    server.close();
  }

  return {
    handleUpgrade(request, socket, head) {
      const url = new URL(request.url ?? "/", "http://host");
      const match = matchStreamRoute(url, callConnectionIdOf(request));
      if (match.type === "unknown-path") return false;
      socket.on("error", (error) => logger.debug({ error }, "a peer left during the upgrade"));
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
