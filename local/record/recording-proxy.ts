/**
 * Stands between the product and a service, passes everything on as it is, and writes down what was said: requests with JSON,
 * answers with JSON or server-sent events, and the messages of WebSockets.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { parseJson } from "@voice/shared/platform/parse-json";
import { WebSocket, WebSocketServer } from "ws";
import type { RawData } from "ws";
import { listen } from "../emulators/listen.ts";
import { toBuffer } from "../emulators/socket-server.ts";
import { Anonymiser } from "./anonymise.ts";
import type { RecordedMessage } from "./recording.ts";

export interface RecordingProxy {
  /** `http://127.0.0.1:port`, in place of the service's origin. */
  readonly origin: string;
  readonly messages: readonly RecordedMessage[];
  close(): Promise<void>;
}

/** Headers that belong to one connection and are not passed on. */
const ofConnection = /^(?:host|connection|upgrade|transfer-encoding|content-length|accept-encoding|sec-websocket-.*)$/i;

/** `service`: the origin of the real one, with http or https. `secrets` never reach the recording. */
export async function startRecordingProxy(service: URL, secrets: readonly string[]): Promise<RecordingProxy> {
  const messages: RecordedMessage[] = [];
  const anonymiser = new Anonymiser(secrets);
  const record = (direction: RecordedMessage["direction"], name: string, body: unknown): void => {
    messages.push({ direction, name, body: anonymiser.clean(body) });
  };
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", service);
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    record("sent", `${request.method} ${endpointOf(url)}`, readBody(body, request.headers["content-type"]));
    const answer = await fetch(url, {
      method: request.method ?? "GET",
      headers: toHeaders(request.headers),
      ...(body.length === 0 ? {} : { body }),
    });
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type });
    const received: Buffer[] = [];
    for await (const chunk of answer.body ?? []) {
      received.push(Buffer.from(chunk));
      response.write(chunk);
    }
    response.end();
    const name = `${answer.status} ${endpointOf(url)}`;
    const text = Buffer.concat(received);
    if (type.startsWith("text/event-stream"))
      for (const event of eventsOf(text.toString())) record("received", name, event);
    else record("received", name, readBody(text, type));
  }

  function join(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", service);
    url.protocol = service.protocol === "https:" ? "wss:" : "ws:";
    const offered = request.headers["sec-websocket-protocol"]?.split(",").map((name) => name.trim()) ?? [];
    const upstream = new WebSocket(url, offered, { headers: toHeaders(request.headers), perMessageDeflate: false });
    const refuse = (status: number): void => void stream.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
    upstream.once("unexpected-response", (_request, { statusCode = 502 }) => {
      record("received", `${statusCode} ${endpointOf(url)}`, null);
      refuse(statusCode);
    });
    // After it has opened, its close event reports the end.
    const onError = (): void => refuse(502);
    upstream.once("error", onError);
    upstream.once("open", () => {
      upstream.off("error", onError).on("error", () => undefined);
      sockets.handleUpgrade(request, stream, head, (client) => {
        const pass = (from: WebSocket, to: WebSocket, direction: RecordedMessage["direction"]): void => {
          from.on("message", (data: RawData, isBinary: boolean) => {
            record(direction, ...readMessage(toBuffer(data), isBinary));
            to.send(data, { binary: isBinary });
          });
          // The codes from 1004 to 1006 may not be sent.
          from.on("close", (code, reason) => to.close(code >= 1004 && code <= 1006 ? 1000 : code, reason));
        };
        pass(client, upstream, "sent");
        pass(upstream, client, "received");
      });
    });
  }

  const listening = await listen((request, response) => {
    forward(request, response).catch(() => {
      // The client has to see that an answer broke off.
      if (response.headersSent) response.destroy();
      else response.writeHead(502, "The service could not be reached").end();
    });
  });
  listening.server.on("upgrade", join);
  return {
    origin: `http://${listening.host}`,
    messages,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await listening.close();
    },
  };
}

/** What is called, wherever the server has it: `chat/completions`. */
function endpointOf({ pathname }: URL): string {
  return pathname.split("/").slice(-2).join("/");
}

function toHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      ofConnection.test(name) || typeof value !== "string" ? [] : [[name, value]],
    ),
  );
}

function readBody(body: Buffer, type: string | undefined): unknown {
  if (body.length === 0) return null;
  return parseJson(body.toString()) ?? { type: type ?? null, bytes: body.length };
}

/** The data of each event; `[DONE]` stays what it is. */
function eventsOf(text: string): unknown[] {
  return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = ""]) => parseJson(data) ?? data);
}

/** The Speech service puts headers before its JSON and its audio, and names the message in one of them. */
const speechText = /^((?:[\w-]+: ?.*\r\n)+)\r\n/;

function readMessage(data: Buffer, isBinary: boolean): readonly [name: string, body: unknown] {
  if (isBinary) {
    const headerBytes = data.length > 2 ? data.readUInt16BE(0) : 0;
    const path = /^Path: ?(\S+)/im.exec(data.subarray(2, 2 + headerBytes).toString())?.[1];
    return [path ?? "binary", { bytes: data.length - 2 - headerBytes }];
  }
  const text = data.toString();
  const [, headers] = speechText.exec(text) ?? [];
  if (headers !== undefined)
    return [/^Path: ?(\S+)/im.exec(headers)?.[1] ?? "text", parseJson(text.slice(headers.length + 2)) ?? null];
  const body = parseJson(text);
  const named = typeof body === "object" && body !== null && "type" in body && typeof body.type === "string";
  return [named ? String(body.type) : "text", body ?? { characters: text.length }];
}
