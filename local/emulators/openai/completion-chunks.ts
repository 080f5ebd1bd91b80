/** Cuts an answer into the chunks in which a server streams it. */
import type { CompletionAnswer } from "./answer.ts";
import type { CompletionRequest } from "./completion-request.ts";
import type { ServerManner } from "./server-manners.ts";

export type Chunk = {
  readonly delta: object;
  readonly finish: string | null;
};

/** An answer's chunks, in the server's order and format. */
export function toChunks(answer: CompletionAnswer, request: CompletionRequest, manner: ServerManner): Chunk[] {
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
