/**
 * What the emulated model does with one request: it answers at a chosen pace, or fails in one of the ways that real
 * ones do.
 */

export type AnsweredToolCall = {
  readonly name: string;
  readonly argumentsJson: string;
  readonly id?: string;
};

export type CompletionAnswer = {
  readonly kind: "completion";
  /** Sent piece by piece; a plain string is cut into words. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly AnsweredToolCall[];
  /** Deltas of parallel calls alternate, as compatible servers may send them, instead of following one another. */
  readonly interleaveToolCalls?: boolean;
  /** By default `tool_calls` if the answer has any, otherwise `stop`. */
  readonly finish?: "stop" | "length" | "content_filter";
  readonly firstChunkMs?: number;
  readonly betweenChunksMs?: number;
  /** Closes the socket after this many chunks, as a crashed server or a cut line does. */
  readonly cutAfterChunks?: number;
  /** Sends nothing after this many chunks and leaves the socket open. */
  readonly stallAfterChunks?: number;
  /** Ends the response regularly, but without a finish reason. */
  readonly endAfterChunks?: number;
};

export type Answer =
  | CompletionAnswer
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly code?: string;
      readonly param?: string;
      readonly retryAfterMs?: number;
    }
  /** The socket is closed before the first byte of the answer. */
  | { readonly kind: "hang-up" }
  /** The request is read and never answered. */
  | { readonly kind: "silence" };

export type Chunk = {
  readonly delta: Readonly<Record<string, unknown>>;
  readonly finish: string | null;
};

/** An answer's chunks, in the service's order and format. */
export function toChunks(answer: CompletionAnswer): Chunk[] {
  const chunks: Chunk[] = [{ delta: { role: "assistant", content: "" }, finish: null }];
  for (const content of toPieces(answer.text ?? "")) chunks.push({ delta: { content }, finish: null });
  chunks.push(...toolCallChunks(answer));
  const finish = answer.finish ?? ((answer.toolCalls?.length ?? 0) > 0 ? "tool_calls" : "stop");
  chunks.push({ delta: {}, finish });
  return chunks;
}

function toPieces(text: string | readonly string[]): readonly string[] {
  return typeof text === "string" ? (text.match(/\S+\s*|\s+/g) ?? []) : text;
}

function toolCallChunks({ toolCalls = [], interleaveToolCalls = false }: CompletionAnswer): Chunk[] {
  const perCall = toolCalls.map((call, index) => {
    const head = { index, id: call.id ?? `call_${index}_${call.name}`, type: "function" };
    const middle = Math.ceil(call.argumentsJson.length / 2);
    const parts = [call.argumentsJson.slice(0, middle), call.argumentsJson.slice(middle)];
    return [
      { ...head, function: { name: call.name, arguments: "" } },
      ...parts.map((part) => ({ index, function: { arguments: part } })),
    ];
  });
  const ordered = interleaveToolCalls
    ? [0, 1, 2].flatMap((step) => perCall.map((parts) => parts[step]))
    : perCall.flat();
  return ordered.map((call) => ({ delta: { tool_calls: [call] }, finish: null }));
}
