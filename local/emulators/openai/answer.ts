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
  /** Ends the response without `[DONE]`, as a proxy does that has lost its server. */
  readonly hasNoEndMark?: boolean;
};

export type Answer =
  | CompletionAnswer
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly code?: string;
      readonly param?: string;
      readonly message?: string;
      readonly retryAfterMs?: number;
    }
  /** The socket is closed before the first byte of the answer. */
  | { readonly kind: "hang-up" }
  /** The request is read and never answered. */
  | { readonly kind: "silence" };
