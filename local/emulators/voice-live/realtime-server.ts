/** What the emulated realtime services have in common: a socket server that holds a conversation on each connection. */
import type { IncomingMessage } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { RawData, WebSocket } from "ws";
import type { FaultySocketOptions } from "../faulty-socket.ts";
import type { Responder } from "../openai/emulator.ts";
import { startSocketServer, toBuffer } from "../socket-server.ts";
import type { SocketServer } from "../socket-server.ts";
import type { ClientEvent } from "./client-events.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationParts, FailTranscription, TranscriptAfterMs } from "./conversation.ts";
import type { LivePhase, LiveSocket } from "./live-socket.ts";
import type { RefuseSettings } from "./refused-settings.ts";

export interface RealtimeServiceOptions {
  readonly port?: number;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly respond: Responder;
  /** Where given, any other key, and any token but `Bearer <key>`, is refused with 401. */
  readonly key?: string;
  /** The settings that are refused, as the emulated session has them; by default those that the service is known to refuse. */
  readonly refuse?: RefuseSettings;
  /** Transcription models that fail for each of the caller's items. None by default. */
  readonly failTranscription?: FailTranscription;
  /** None by default: each transcript comes before the answer. */
  readonly transcriptAfterMs?: TranscriptAfterMs;
  readonly clock?: Clock;
}

interface RealtimeProtocol<Socket extends LiveSocket> extends Pick<ConversationParts, "refuse" | "ownPadding"> {
  readonly path: string;
  /** The parameters that an address must have. */
  readonly parameters: readonly string[];
  isAuthorised(headers: IncomingMessage["headers"], key: string): boolean;
  createSocket(socket: WebSocket, accepted: FaultySocketOptions<LivePhase>): Socket;
  /** Sends an error and returns undefined if this is no event of the protocol. */
  read(raw: unknown, live: Socket): ClientEvent | undefined;
}

export async function startRealtimeServer<Socket extends LiveSocket>(
  options: RealtimeServiceOptions,
  { path, parameters, isAuthorised, createSocket, read, ...own }: RealtimeProtocol<Socket>,
): Promise<{ readonly server: SocketServer<LivePhase>; readonly connections: readonly Socket[] }> {
  const { recogniser, synthesiser, respond, key, clock = systemClock } = options;
  const { failTranscription = () => false, transcriptAfterMs = () => 0, refuse = own.refuse } = options;
  const parts = { recogniser, synthesiser, respond, clock, failTranscription, transcriptAfterMs, ...own, refuse };
  const connections: Socket[] = [];
  const server = await startSocketServer<LivePhase>({
    port: options.port,
    clock,
    refusal: ({ headers }, { pathname, searchParams }) => {
      if (pathname !== path) return 404;
      if (!parameters.every((name) => searchParams.has(name))) return 400;
      return key === undefined || isAuthorised(headers, key) ? undefined : 401;
    },
    accept: (socket, accepted) => {
      const live = createSocket(socket, accepted);
      connections.push(live);
      const conversation = new Conversation(live, { ...parts, model: accepted.url.searchParams.get("model") ?? "" });
      socket.on("message", (data: RawData) => {
        const event = read(parseJson(toBuffer(data).toString()), live);
        if (event === undefined) return;
        live.record(event);
        conversation.receive(event);
      });
      socket.on("close", () => conversation.close());
    },
  });
  return { server, connections };
}
