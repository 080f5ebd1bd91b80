/**
 * An OpenAI-compatible chat endpoint on loopback, under Azure's `/openai/v1/` and under the plain `/v1/` path. It answers
 * from a script, then from a responder; it checks requests as the service does and remembers them for the test to read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { listen } from "../listen.ts";
import type { Answer } from "./answer.ts";
import { complaintAbout, completionRequestSchema } from "./completion-request.ts";
import type { CompletionRequest } from "./completion-request.ts";
import { refuse, sendCompletion } from "./send-answer.ts";

/** Decides an answer; aborted when the client goes away. */
export type Responder = (request: CompletionRequest, signal: AbortSignal) => Answer | Promise<Answer>;

export type SeenRequest = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: CompletionRequest;
  readonly receivedAtMs: number;
  /** Resolves when the connection closed before the answer was complete, with the chunks sent until then. */
  readonly clientGone: Promise<{ readonly atMs: number; readonly chunksSent: number }>;
};

export type OpenAiEmulatorOptions = {
  readonly port?: number;
  readonly respond?: Responder;
  /** Where given, any other key or token is refused with 401. */
  readonly key?: string;
  readonly clock?: Clock;
};

export type OpenAiEmulator = {
  /** `http://127.0.0.1:port/openai/v1/` */
  readonly baseUrl: string;
  readonly requests: readonly SeenRequest[];
  /** Resolves once this many requests have come in. */
  received(count: number): Promise<void>;
  /** Connections that were ever made. */
  connections(): number;
  /** Breaks those that are open, as a front end does with idle ones. */
  dropConnections(): void;
  /** Answers for the next requests, in order, before the responder is asked again. */
  script(...answers: readonly Answer[]): void;
  close(): Promise<void>;
};

const completionPaths = new Set(["/openai/v1/chat/completions", "/v1/chat/completions"]);
const largestBodyBytes = 4 * 1024 * 1024;

export async function startOpenAiEmulator(options: OpenAiEmulatorOptions = {}): Promise<OpenAiEmulator> {
  const { respond = echo, key, clock = systemClock } = options;
  const requests: SeenRequest[] = [];
  const scripted: Answer[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://emulator");
    if (request.method !== "POST" || !completionPaths.has(pathname)) return refuse(response, 404, "not_found");
    if (key !== undefined && presentedKey(request) !== key) return refuse(response, 401, "invalid_api_key");
    const body = completionRequestSchema.safeParse(await readJson(request));
    if (!body.success) return refuse(response, 400, "invalid_request_error");
    const complaint = complaintAbout(body.data);
    if (complaint !== undefined) return refuse(response, 400, "invalid_request_error", { message: complaint });

    const gone = new AbortController();
    let chunksSent = 0;
    const clientGone = new Promise<{ atMs: number; chunksSent: number }>((resolve) => {
      response.on("close", () => {
        if (response.writableFinished) return;
        gone.abort(new DOMException("the client went away", "AbortError"));
        resolve({ atMs: clock.now(), chunksSent });
      });
    });
    requests.push({ path: pathname, headers: request.headers, body: body.data, receivedAtMs: clock.now(), clientGone });
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();

    const answer = scripted.shift() ?? (await respond(body.data, gone.signal));
    if (gone.signal.aborted) return undefined;
    switch (answer.kind) {
      case "refusal":
        return refuse(response, answer.status, answer.code ?? "error", answer);
      case "hang-up":
        response.destroy();
        return undefined;
      case "silence":
        return undefined;
      case "completion":
        return sendCompletion(
          { answer, request: body.data, response, clock, onChunk: () => chunksSent++ },
          gone.signal,
        );
      default:
        return answer satisfies never;
    }
  }

  const listening = await listen((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }, options.port);
  const sockets = new Set<Socket>();
  let connections = 0;
  // As the service's front end: it keeps idle connections for minutes and does not announce for how long.
  listening.server.keepAliveTimeout = 0;
  listening.server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    baseUrl: `http://${listening.host}/openai/v1/`,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    connections: () => connections,
    dropConnections() {
      for (const socket of sockets) socket.destroy();
    },
    script: (...answers) => {
      scripted.push(...answers);
    },
    close: () => listening.close(),
  };
}

function presentedKey({ headers }: IncomingMessage): string | undefined {
  const apiKey = headers["api-key"];
  return typeof apiKey === "string" ? apiKey : headers.authorization?.replace(/^Bearer /, "");
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new TypeError("request bodies are bytes");
    bytes += part.length;
    if (bytes > largestBodyBytes) throw new RangeError("the request body is too large");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

const echo: Responder = ({ messages }) => {
  const last = messages.findLast((message) => message.role === "user");
  return { kind: "completion", text: `You said: ${last?.content ?? "nothing"}` };
};
