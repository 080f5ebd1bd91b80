/**
 * An OpenAI-compatible chat endpoint on loopback, under Azure's `/openai/v1/` and under the plain `/v1/` path. It answers
 * from a script, then from a responder; it checks requests as the service does and remembers them for the test to read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { sendJson } from "../emulated-service.ts";
import { listen } from "../listen.ts";
import type { Answer } from "./answer.ts";
import { AudioEndpoints, largestBodyBytes } from "./audio-endpoints.ts";
import type { AudioEngines, SeenAudio } from "./audio-endpoints.ts";
import { complaintAbout, completionRequestSchema, refusesTools } from "./completion-request.ts";
import type { CompletionRequest } from "./completion-request.ts";
import { readBody } from "../read-body.ts";
import { refuse, sendCompletion } from "./send-answer.ts";
import { serverManner } from "./server-manners.ts";
import type { ServerManner, ServerName } from "./server-manners.ts";

/** Decides on an answer; its signal is aborted when the client disconnects. */
export type Responder = (request: CompletionRequest, signal: AbortSignal) => Answer | Promise<Answer>;

export type SeenRequest = {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: CompletionRequest;
  readonly receivedAtMs: number;
  /** Resolves with the number of chunks sent, if the connection closes before the answer is complete. */
  readonly clientGone: Promise<{ readonly atMs: number; readonly chunksSent: number }>;
};

export type OpenAiEmulatorOptions = {
  readonly port?: number;
  readonly respond?: Responder;
  /** The server whose manners it has; OpenAI's, which are also Azure's, if absent. */
  readonly server?: ServerName | undefined;
  /** Where given, any other key or token is refused with 401. */
  readonly key?: string;
  /** The engines behind `/audio`; absent, that path does not exist. */
  readonly audio?: AudioEngines;
  /** Handles WebSocket upgrades at the same address. */
  readonly upgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void;
  readonly clock?: Clock;
};

export type OpenAiEmulator = {
  /** `http://127.0.0.1:port/openai/v1/` */
  readonly baseUrl: string;
  readonly requests: readonly SeenRequest[];
  /** How many requests it has refused because of what they ask for. */
  refusals(): number;
  /** The requests to `/audio`. */
  readonly audio: readonly SeenAudio[];
  /** Resolves once this many requests have come in. */
  received(count: number): Promise<void>;
  /** Number of connections made so far. */
  connections(): number;
  /** Breaks all open connections, as a load balancer does with idle ones. */
  dropConnections(): void;
  /** Makes the next requests to `/audio` fail like this, in order. */
  failAudio(...statuses: readonly number[]): void;
  /** Answers for the next requests, in order, before the responder is asked again. */
  script(...answers: readonly Answer[]): void;
  close(): Promise<void>;
};

const completionPaths = new Set(["/openai/v1/chat/completions", "/v1/chat/completions"]);

export async function startOpenAiEmulator(options: OpenAiEmulatorOptions = {}): Promise<OpenAiEmulator> {
  const { respond = echo, key, clock = systemClock } = options;
  const manner = serverManner(options.server ?? "openai");
  let refusals = 0;
  const requests: SeenRequest[] = [];
  const scripted: Answer[] = [];
  const endpoints = options.audio && new AudioEndpoints(options.audio);
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://emulator");
    if (key !== undefined && presentedKey(request) !== key) return refuse(response, 401, "invalid_api_key");
    if (request.method === "GET" && pathname.endsWith("/models"))
      return sendJson(response, 200, { object: "list", data: [] });
    if (await endpoints?.answer(pathname, request, response)) return undefined;
    if (request.method !== "POST" || !completionPaths.has(pathname)) return refuse(response, 404, "not_found");
    const body = await accept(request, response, manner);
    if (body === undefined) return void refusals++;

    const gone = new AbortController();
    let chunksSent = 0;
    const clientGone = new Promise<{ atMs: number; chunksSent: number }>((resolve) => {
      response.on("close", () => {
        if (response.writableFinished) return;
        gone.abort(new DOMException("the client went away", "AbortError"));
        resolve({ atMs: clock.now(), chunksSent });
      });
    });
    requests.push({ path: pathname, headers: request.headers, body, receivedAtMs: clock.now(), clientGone });
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();

    const answer = scripted.shift() ?? (await respond(body, gone.signal));
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
          { answer, request: body, manner, response, clock, onChunk: () => chunksSent++ },
          gone.signal,
        );
      default:
        return answer satisfies never;
    }
  }

  const listening = await listen((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }, options.port);
  if (options.upgrade !== undefined) listening.server.on("upgrade", options.upgrade);
  const sockets = new Set<Socket>();
  let connections = 0;
  // Like the service's load balancer, which keeps idle connections for minutes and does not announce for how long.
  listening.server.keepAliveTimeout = 0;
  listening.server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    baseUrl: `http://${listening.host}/openai/v1/`,
    requests,
    refusals: () => refusals,
    audio: endpoints?.seen ?? [],
    failAudio: (...statuses) => endpoints?.fail(statuses),
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

/** Undefined where it has refused the request, as the service does. */
async function accept(
  request: IncomingMessage,
  response: ServerResponse,
  manner: ServerManner,
): Promise<CompletionRequest | undefined> {
  const { success, data } = completionRequestSchema.safeParse(await readJson(request));
  const complaint = success ? complaintAbout(data) : "";
  const refusal = success ? manner.complaintAbout(data) : undefined;
  if (!success) refuse(response, 400, "invalid_request_error");
  else if (refusesTools(data)) refuse(response, 400, "", toolRefusal(data.model));
  else if (complaint !== undefined) refuse(response, 400, "invalid_request_error", { message: complaint });
  else if (refusal !== undefined) sendJson(response, refusal.status, refusal.body);
  else return data;
  return undefined;
}

function presentedKey({ headers }: IncomingMessage): string | undefined {
  const apiKey = headers["api-key"];
  return typeof apiKey === "string" ? apiKey : headers.authorization?.replace(/^Bearer /, "");
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBody(request, largestBodyBytes)).toString("utf8"));
  } catch {
    return undefined;
  }
}

function toolRefusal(model: string) {
  const message =
    `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. ` +
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  return { message, param: "reasoning_effort", type: "invalid_request_error" };
}

const echo: Responder = ({ messages }) => {
  const last = messages.findLast((message) => message.role === "user");
  return { kind: "completion", text: `You said: ${last?.content ?? "nothing"}` };
};
