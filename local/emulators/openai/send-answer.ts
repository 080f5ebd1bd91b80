/**
 * Sends an answer at its pace, as server-sent events in Azure's format or as the error body (`openai` 7.59,
 * resources/chat/completions/completions.d.ts, `ChatCompletionChunk`).
 */
import type { ServerResponse } from "node:http";
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { CompletionAnswer } from "./answer.ts";
import type { CompletionRequest } from "./completion-request.ts";
import type { ServerManner } from "./server-manners.ts";

export type Sending = {
  readonly answer: CompletionAnswer;
  readonly request: CompletionRequest;
  readonly manner: ServerManner;
  readonly response: ServerResponse;
  readonly clock: Clock;
  readonly onChunk: () => void;
};

export async function sendCompletion(
  { answer, request, manner, response, clock, onChunk }: Sending,
  signal: AbortSignal,
): Promise<void> {
  const chunks = toChunks(answer, request, manner);
  const { stream } = manner;
  if (request.stream !== true || stream.isWhole) return sendWhole({ answer, request, response }, chunks.length);
  const base = {
    id: "chatcmpl-emulated",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: request.model,
  };
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "emulated-request" });
  response.flushHeaders();
  const send = (fields: object): void => {
    const json = JSON.stringify({ ...base, ...fields });
    response.write(`${stream.comment}data:${stream.space}${json}${stream.lineEnd}${stream.lineEnd}`);
  };
  if (stream.promptFilter)
    send({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] });
  for (const [position, { delta, finish }] of chunks.entries()) {
    await pause(clock, position === 0 ? answer.firstChunkMs : answer.betweenChunksMs, signal);
    if (signal.aborted) return;
    if (position === answer.cutAfterChunks) {
      // Lets what was written arrive first, so that the client sees an answer that breaks off and not one that never
      // began.
      response.socket?.destroySoon();
      return;
    }
    if (position === answer.stallAfterChunks) return;
    if (position === answer.endAfterChunks) break;
    send({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
    onChunk();
  }
  if (stream.countsTokens && request.stream_options?.include_usage === true) {
    const outputTokens = chunks.length;
    const inputTokens = JSON.stringify(request.messages).length >> 2;
    send({
      choices: [],
      usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    });
  }
  if (stream.hasEndMark && answer.hasNoEndMark !== true) response.write("data: [DONE]\n\n");
  // The end of the body is sent in a packet of its own, as by a proxy.
  clock.setTimer(endOfBodyMs, () => response.end());
}

/** Without streaming, the answer is one JSON object. */
function sendWhole(
  { answer, request, response }: Pick<Sending, "answer" | "request" | "response">,
  outputTokens: number,
): void {
  const { text = "", toolCalls = [], finish } = answer;
  const calls = toolCalls.map(({ name, argumentsJson, id }, index) => ({
    id: id ?? `call_${index}_${name}`,
    type: "function",
    function: { name, arguments: argumentsJson },
  }));
  const content = typeof text === "string" ? text : text.join("");
  const inputTokens = JSON.stringify(request.messages).length >> 2;
  response.writeHead(200, { "content-type": "application/json", "x-request-id": "emulated-request" });
  response.end(
    `${JSON.stringify({
      id: "chatcmpl-emulated",
      object: "chat.completion",
      created: 1_700_000_000,
      model: request.model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) },
          logprobs: null,
          finish_reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
        },
      ],
      usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    })}${request.stream === true ? "\n\ndata: [DONE]\n\n" : ""}`,
  );
}

const endOfBodyMs = 10;

export type RefusalDetails = {
  readonly message?: string;
  readonly param?: string;
  readonly type?: string;
  readonly retryAfterMs?: number;
};

export function refuse(response: ServerResponse, status: number, code: string, details: RefusalDetails = {}): void {
  const { message = `emulated ${status}`, param = null, type = code, retryAfterMs } = details;
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.setHeader("x-request-id", "emulated-request");
  if (retryAfterMs !== undefined) {
    response.setHeader("retry-after-ms", retryAfterMs);
    response.setHeader("retry-after", Math.ceil(retryAfterMs / 1000));
  }
  response.end(JSON.stringify({ error: { message, type, param, code: code === "" ? null : code } }));
}

type Chunk = {
  readonly delta: object;
  readonly finish: string | null;
};

/** An answer's chunks, in the server's order and format. */
function toChunks(answer: CompletionAnswer, request: CompletionRequest, manner: ServerManner): Chunk[] {
  const deltas: object[] = [{ role: "assistant", content: "" }, ...manner.thoughts(request)];
  for (const content of toPieces(answer.text ?? "")) deltas.push({ content });
  for (const piece of toolCallPieces(answer, manner)) deltas.push({ tool_calls: [piece] });
  const finish = answer.finish ?? ((answer.toolCalls?.length ?? 0) > 0 ? "tool_calls" : "stop");
  return [
    ...deltas.map((delta) => ({ delta: manner.delta(delta), finish: null })),
    { delta: {}, finish: manner.finish(finish) },
  ];
}

function toPieces(text: string | readonly string[]): readonly string[] {
  return typeof text === "string" ? (text.match(/\S+\s*|\s+/g) ?? []) : text;
}

function toolCallPieces(answer: CompletionAnswer, manner: ServerManner): readonly object[] {
  const { toolCalls = [], interleaveToolCalls = false } = answer;
  const perCall = toolCalls.map((call, index) => manner.toolCallPieces(call, index));
  if (!interleaveToolCalls) return perCall.flat();
  const longest = Math.max(0, ...perCall.map((pieces) => pieces.length));
  return Array.from({ length: longest }, (_, step) => perCall.flatMap((pieces) => pieces[step] ?? [])).flat();
}
