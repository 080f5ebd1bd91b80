/** A bare WebSocket client for tests: keeps everything it was sent and waits for what a test expects. */
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { WebSocket } from "ws";
import { z } from "zod";
import { longestWaitMs } from "./wait.ts";

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

const message = z.looseObject({
  type: z.string().optional(),
  Kind: z.string().optional(),
  session_id: z.string().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});
export type Received = z.infer<typeof message> & { readonly atMs: number };

export class SocketClient implements Disposable {
  readonly socket: WebSocket;
  readonly messages: Received[] = [];
  readonly audio: Buffer[] = [];
  readonly closed: Promise<Closing>;
  #onChange: (() => void) | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.audio.push(data);
      else this.messages.push({ ...message.parse(JSON.parse(data.toString())), atMs: performance.now() });
      this.#onChange?.();
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
  }

  /** An object goes as JSON, a string as it is, bytes as a binary frame. */
  send(data: object | string | Uint8Array): void {
    this.socket.send(typeof data === "string" || data instanceof Uint8Array ? data : JSON.stringify(data));
  }

  /** Resolves when the other end has read all that was sent to it, and all that it had sent by then has arrived here. */
  roundTrip(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once("pong", () => resolve());
      this.socket.ping();
    });
  }

  ofType(type: string): Received[] {
    return this.messages.filter((received) => received.type === type);
  }

  events(name: string): Received[] {
    return this.ofType("event").filter(({ payload }) => payload?.["name"] === name);
  }

  /** The first message that fits, whether it has arrived already or is to come. */
  async next(what: string, fits: (received: Received) => boolean, boundMs = longestWaitMs): Promise<Received> {
    return this.until(what, () => this.messages.find(fits), boundMs);
  }

  async until<T>(what: string, look: () => T | undefined, boundMs = longestWaitMs): Promise<T> {
    const found = look();
    if (found !== undefined) return found;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#onChange = undefined;
        const seen = this.messages.map(({ type, Kind, payload }) => `${type ?? Kind} ${JSON.stringify(payload)}`);
        reject(new Error(`${what} did not come in ${boundMs} ms; instead: ${seen.join("; ").slice(-1200)}`));
      }, boundMs);
      this.#onChange = () => {
        const value = look();
        if (value === undefined) return;
        clearTimeout(timer);
        this.#onChange = undefined;
        resolve(value);
      };
    });
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}

export function openSocket<Client extends SocketClient>(
  url: string,
  headers: Readonly<Record<string, string>>,
  create: (socket: WebSocket) => Client,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    // Before it is open, so that nothing is missed.
    const client = create(socket);
    socket.once("open", () => resolve(client));
    socket.on("error", reject);
  });
}

export function dial(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SocketClient> {
  return openSocket(url, headers, (socket) => new SocketClient(socket));
}

export interface Refusal {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer to an upgrade that did not succeed; undefined for one that did. */
export function refusalOf(url: string, headers: Readonly<Record<string, string>>): Promise<Refusal | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once("open", () => {
      socket.close();
      resolve(undefined);
    });
    socket.on("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      json(response)
        .then((body) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: z.record(z.string(), z.unknown()).parse(body),
          }),
        )
        .catch(reject);
    });
  });
}

/** For an upgrade that must not succeed. */
export async function dialRefused(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Refusal> {
  const refusal = await refusalOf(url, headers);
  if (refusal === undefined) throw new Error("the upgrade was accepted");
  return refusal;
}

/** 16-bit square wave at half scale: speech to a detector that looks at energy. */
export function loudSamples(ms: number, rateHz = 16_000): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, index) => (index % 40 < 20 ? 8000 : -8000));
}

export function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}
