/**
 * Azure Speech on loopback: recognition and synthesis over the service's own WebSocket protocol, so that the official
 * SDK runs against it. What is heard and spoken comes from the two ports, scripted or real.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/streaming-host/providers/ports/recogniser";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";
import { listen } from "../listen.ts";
import { refuseUpgrade, toBuffer } from "../websocket.ts";
import type { SpeechFault } from "./fault.ts";
import { parseSpeechMessage } from "./framing.ts";
import { RecognitionConnection } from "./recognition-connection.ts";
import { SpeechSocket } from "./speech-socket.ts";
import type { SeenConnection } from "./speech-socket.ts";
import { SynthesisConnection } from "./synthesis-connection.ts";

export type SpeechEmulatorOptions = {
  readonly port?: number;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  /** Where given, any other key, and any token but `Bearer <key>`, is refused with 401. */
  readonly key?: string;
  readonly voices?: ReadonlySet<string>;
  /** The service ends every connection after about ten minutes. */
  readonly connectionLimitMs?: number;
  readonly clock?: Clock;
};

export type SpeechEmulator = {
  /** `ws://127.0.0.1:port` */
  readonly endpoint: string;
  readonly connections: readonly SeenConnection[];
  /** Handshakes, refused ones included. */
  handshakes(): number;
  /** One for each of the next connections; `undefined` lets one pass. */
  fail(...faults: readonly (SpeechFault | undefined)[]): void;
  close(): Promise<void>;
};

const recognitionPaths = [
  /^\/stt\/speech\/universal\/v2$/,
  /^\/speech\/recognition\/conversation\/cognitiveservices\/v1$/,
];
const synthesisPath = /^\/(?:tts\/)?cognitiveservices\/websocket\/v1$/;
const tenMinutesMs = 600_000;

export async function startSpeechEmulator(options: SpeechEmulatorOptions): Promise<SpeechEmulator> {
  const { recogniser, synthesiser, key, voices, connectionLimitMs = tenMinutesMs, clock = systemClock } = options;
  const connections: SpeechSocket[] = [];
  const faults: (SpeechFault | undefined)[] = [];
  const hanging = new Set<Duplex>();
  let handshakes = 0;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  function accept(socket: WebSocket, speech: SpeechSocket): void {
    connections.push(speech);
    const connection =
      speech.service === "recognition"
        ? new RecognitionConnection(speech, recogniser)
        : new SynthesisConnection(speech, synthesiser, voices);
    const cancelLimit = clock.setTimer(connectionLimitMs, () => speech.close(1000, "connection limit"));
    socket.on("message", (data: RawData, isBinary: boolean) => {
      const message = parseSpeechMessage(toBuffer(data), isBinary);
      speech.record(message);
      connection.receive(message);
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      cancelLimit();
      connection.close();
    });
  }

  const listening = await listen((_request, response) => {
    response.statusCode = 404;
    response.end();
  }, options.port);

  listening.server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    handshakes++;
    const url = new URL(request.url ?? "/", `ws://${listening.host}`);
    const service = serviceAt(url.pathname);
    const fault = faults.shift();
    if (fault?.kind === "hang") {
      hanging.add(stream);
      stream.on("error", () => stream.destroy());
      stream.on("close", () => hanging.delete(stream));
      return;
    }
    if (fault?.kind === "refuse") return refuseUpgrade(stream, fault.status);
    if (service === undefined) return refuseUpgrade(stream, 404);
    if (key !== undefined && !isAuthorised(request, key)) return refuseUpgrade(stream, 401);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      accept(socket, new SpeechSocket(socket, { service, url, headers: request.headers, fault, clock }));
    });
    return undefined;
  });

  return {
    endpoint: `ws://${listening.host}`,
    connections,
    handshakes: () => handshakes,
    fail: (...more) => {
      faults.push(...more);
    },
    close: async () => {
      for (const stream of hanging) stream.destroy();
      for (const socket of sockets.clients) socket.terminate();
      await listening.close();
    },
  };
}

function serviceAt(pathname: string): SeenConnection["service"] | undefined {
  if (recognitionPaths.some((pattern) => pattern.test(pathname))) return "recognition";
  return synthesisPath.test(pathname) ? "synthesis" : undefined;
}

function isAuthorised({ headers }: IncomingMessage, key: string): boolean {
  return headers["ocp-apim-subscription-key"] === key || headers.authorization === `Bearer ${key}`;
}
