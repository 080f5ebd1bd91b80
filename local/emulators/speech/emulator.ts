/**
 * Azure Speech on loopback: recognition and synthesis over the service's own WebSocket protocol, so that the official
 * SDK runs against it. Any recogniser and synthesiser can do the work, scripted or real.
 */
import type { IncomingMessage } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { RawData } from "ws";
import { startSocketServer, toBuffer } from "../socket-server.ts";
import { parseSpeechMessage } from "./framing.ts";
import { RecognitionConnection } from "./recognition-connection.ts";
import { SpeechSocket } from "./speech-socket.ts";
import type { SeenConnection, SpeechFault, SpeechPhase } from "./speech-socket.ts";
import { SynthesisConnection } from "./synthesis-connection.ts";

export type SpeechEmulatorOptions = {
  readonly port?: number;
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  /** Where given, any other key, and any token but `Bearer <key>`, is refused with 401. */
  readonly key?: string;
  /** Where given, any other voice is refused. */
  readonly voices?: ReadonlySet<string>;
  /** When a connection is ended; the service does so after about ten minutes. */
  readonly connectionLimitMs?: number;
  readonly clock?: Clock;
};

export type SpeechEmulator = {
  /** `ws://127.0.0.1:port` */
  readonly endpoint: string;
  readonly connections: readonly SeenConnection[];
  handshakes(): number;
  /** One fault for each of the next connections. */
  fail(...faults: readonly (SpeechFault | undefined)[]): void;
  /** The same for the connections of one of the two services only. */
  failAt(service: SeenConnection["service"], ...faults: readonly (SpeechFault | undefined)[]): void;
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
  const server = await startSocketServer<SpeechPhase>({
    port: options.port,
    clock,
    refusal: (request, { pathname }) => {
      if (serviceAt(pathname) === undefined) return 404;
      return key === undefined || isAuthorised(request, key) ? undefined : 401;
    },
    accept: (socket, accepted) => {
      const service = serviceAt(accepted.url.pathname) ?? "recognition";
      const speech = new SpeechSocket(socket, service, accepted);
      connections.push(speech);
      const connection =
        service === "recognition"
          ? new RecognitionConnection(speech, recogniser)
          : new SynthesisConnection(speech, synthesiser, voices);
      const cancelLimit = clock.setTimer(connectionLimitMs, () => speech.close(1000, "connection limit"));
      socket.on("message", (data: RawData, isBinary: boolean) => {
        const message = parseSpeechMessage(toBuffer(data), isBinary);
        if (message === undefined) {
          speech.close(1007, "bad message");
          return;
        }
        speech.record(message);
        connection.receive(message);
      });
      socket.on("close", () => {
        cancelLimit();
        connection.close();
      });
    },
  });
  return {
    endpoint: `ws://${server.host}`,
    connections,
    handshakes: () => server.handshakes(),
    fail: (...faults) => server.fail(faults),
    failAt: (service, ...faults) => server.fail(faults, ({ pathname }) => serviceAt(pathname) === service),
    close: () => server.close(),
  };
}

function serviceAt(pathname: string): SeenConnection["service"] | undefined {
  if (recognitionPaths.some((pattern) => pattern.test(pathname))) return "recognition";
  return synthesisPath.test(pathname) ? "synthesis" : undefined;
}

function isAuthorised({ headers }: IncomingMessage, key: string): boolean {
  return headers["ocp-apim-subscription-key"] === key || headers.authorization === `Bearer ${key}`;
}
