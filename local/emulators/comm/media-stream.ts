/**
 * The service's end of a media stream: connects to the transport address as a client, sends the caller's audio as it is
 * spoken, and passes on what comes back. A stream that breaks is opened again for a while.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "@voice/shared/platform/clock";
import { WebSocket } from "ws";
import { z } from "zod";
import { pause } from "../pause.ts";
import type { MediaStreamingRequest } from "./call-requests.ts";
import type { CallTokens } from "./call-tokens.ts";

export interface MediaStreamEvents {
  onStarted(details: "subscriptionStarted" | "streamConnectionReestablished"): void;
  /** The close code of a stream that we did not end. */
  onInterrupted(code: number): void;
  /** Nobody takes the stream. */
  onFailed(details: "initialWebSocketConnectionFailed" | "streamConnectionUnsuccessful", status: number): void;
  onAudio(samples: Int16Array): void;
  onStopAudio(): void;
}

export interface MediaStreamOptions {
  readonly request: MediaStreamingRequest;
  readonly callConnectionId: string;
  readonly correlationId: string;
  readonly participant: string;
  readonly tokens: CallTokens;
  readonly clock: Clock;
  readonly events: MediaStreamEvents;
}

const handshakeTimeoutMs = 5000;
/** What the other side closes with a code of its own it does not want again. */
const firstPrivateCode = 4000;
/** How long after each other a broken stream is opened again. */
const reconnectDelaysMs = [50, 100, 200, 400, 800, 1600, 3200];

export function sampleRateOf({ audioFormat }: MediaStreamingRequest): number {
  return audioFormat === "Pcm24KMono" ? 24_000 : 16_000;
}

/** Both letter cases are in use: the samples write `Kind`, the SDK's helpers `kind`. */
const outgoing = z.preprocess(
  lowerKeys,
  z.looseObject({
    kind: z.string().transform((kind) => kind.toLowerCase()),
    audiodata: z.preprocess(lowerKeys, z.looseObject({ data: z.base64() })).nullish(),
  }),
);

export class MediaStream {
  readonly #options: MediaStreamOptions;
  readonly #ending = new AbortController();
  #socket: WebSocket | undefined;
  #hasBeenOpen = false;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#connect();
  }

  speak(frame: Int16Array): void {
    const { clock, participant } = this.#options;
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    this.#send({
      kind: "AudioData",
      audioData: {
        timestamp: new Date(clock.wallNow()).toISOString(),
        participantRawID: participant,
        data: bytes.toString("base64"),
        silent: frame.every((sample) => sample === 0),
      },
    });
  }

  press(key: string): void {
    if (this.#options.request.enableDtmfTones) this.#send({ kind: "DtmfData", dtmfData: { data: key } });
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
    const { clock, events } = this.#options;
    let status = 0;
    for (const delayMs of [0, ...reconnectDelaysMs]) {
      await pause(clock, delayMs, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      status = await this.#open();
      if (status === 101) return;
      // The first refusal is final, as the service has it: a wrong address does not become right.
      if (!this.#hasBeenOpen && status !== 503 && status !== 0) break;
    }
    if (this.#ending.signal.aborted) return;
    events.onFailed(this.#hasBeenOpen ? "streamConnectionUnsuccessful" : "initialWebSocketConnectionFailed", status);
  }

  /** The status of the upgrade; 0 where nobody answered. */
  async #open(): Promise<number> {
    const { request, callConnectionId, correlationId, tokens, events } = this.#options;
    const token = await tokens.issue("24h");
    return new Promise((resolve) => {
      const socket = new WebSocket(request.transportUrl, {
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
        this.#introduce();
        events.onStarted(this.#hasBeenOpen ? "streamConnectionReestablished" : "subscriptionStarted");
        this.#hasBeenOpen = true;
        resolve(101);
      });
      socket.on("message", (data: Buffer) => this.#receive(data.toString("utf8")));
      socket.on("unexpected-response", (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on("error", () => resolve(0));
      socket.on("close", (code) => this.#onClosed(socket, code));
    });
  }

  #introduce(): void {
    const sampleRate = sampleRateOf(this.#options.request);
    this.#send({
      kind: "AudioMetadata",
      audioMetadata: {
        subscriptionId: randomUUID(),
        encoding: "PCM",
        sampleRate,
        channels: 1,
        length: (sampleRate / 50) * 2,
      },
    });
  }

  #onClosed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    if (this.#ending.signal.aborted || code === 1000) return;
    this.#options.events.onInterrupted(code);
    if (code < firstPrivateCode) void this.#connect();
  }

  #receive(text: string): void {
    const { events, request } = this.#options;
    const message = outgoing.safeParse(parseJson(text));
    if (!message.success || !request.enableBidirectional) return;
    const { kind, audiodata } = message.data;
    if (kind === "stopaudio") events.onStopAudio();
    if (kind === "audiodata" && audiodata) events.onAudio(toSamples(Buffer.from(audiodata.data, "base64")));
  }

  #send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not a frame of this protocol: the service ignores it as well
  }
}

function lowerKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
}

function toSamples(bytes: Buffer): Int16Array {
  const copy = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return new Int16Array(copy.buffer);
}
