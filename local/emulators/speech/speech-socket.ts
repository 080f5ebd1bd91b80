/** One accepted connection to the Speech service, with a record of what it received. */
import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import type { Fault } from "../fault.ts";
import { FaultySocket } from "../faulty-socket.ts";
import type { FaultySocketOptions } from "../faulty-socket.ts";
import { formatTextMessage } from "./framing.ts";
import type { SpeechMessage } from "./framing.ts";

/** `open`: right after the handshake. `turn`: after turn.start. `middle`: after the first partial or audio. `end`: instead of the final or turn.end. */
export type SpeechPhase = "open" | "turn" | "middle" | "end";
export type SpeechFault = Fault<SpeechPhase>;

export type SeenConnection = {
  readonly service: "recognition" | "synthesis";
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Paths of the messages received, in order, audio not included. */
  readonly paths: readonly string[];
  /** The last body received for each path. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Sizes of the audio payloads received. */
  readonly audioBytes: readonly number[];
  /** Everything received as audio. */
  audio(): Buffer;
  readonly closed: Promise<number>;
  isClosed(): boolean;
};

export class SpeechSocket extends FaultySocket<SpeechPhase> implements SeenConnection {
  readonly service: SeenConnection["service"];
  readonly paths: string[] = [];
  readonly bodies = new Map<string, string>();
  readonly audioBytes: number[] = [];
  readonly #audio: Buffer[] = [];

  constructor(socket: WebSocket, service: SeenConnection["service"], options: FaultySocketOptions<SpeechPhase>) {
    super(socket, options);
    this.service = service;
  }

  audio(): Buffer {
    return Buffer.concat(this.#audio);
  }

  record(message: SpeechMessage): void {
    if (message.body.kind === "text") {
      this.paths.push(message.path);
      this.bodies.set(message.path, message.body.text);
    } else if (message.path === "audio") {
      this.audioBytes.push(message.body.bytes.length);
      this.#audio.push(message.body.bytes);
    }
  }

  sendText(path: string, requestId: string, body: unknown): void {
    this.send(formatTextMessage(path, requestId, body));
  }
}
