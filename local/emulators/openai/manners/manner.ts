/** One thing that a server does otherwise than OpenAI's own, with the place where it was reported. */
import type { AnsweredToolCall } from "../answer.ts";
import type { CompletionRequest } from "../completion-request.ts";

export type Refusal = { readonly status: number; readonly body: object };

export interface Manner {
  /** For docs/models.md. */
  readonly about: string;
  readonly source: string;
  /** What it says to a request that OpenAI would accept. */
  readonly refuses?: (request: CompletionRequest) => Refusal | undefined;
  /** The pieces in which a call is sent. */
  readonly calls?: (call: AnsweredToolCall, index: number) => readonly object[];
  /** What is sent before the answer. */
  readonly thoughts?: (request: CompletionRequest) => readonly object[];
  readonly delta?: (delta: Readonly<Record<string, unknown>>) => object;
  readonly finish?: (reason: string) => string | null;
  readonly stream?: Partial<StreamManner>;
}

export interface StreamManner {
  /** Azure sends its verdict on the prompt first. */
  readonly promptFilter: boolean;
  readonly countsTokens: boolean;
  readonly hasEndMark: boolean;
  /** Written before each event. */
  readonly comment: string;
  /** Written between `data:` and the JSON. */
  readonly space: string;
  readonly lineEnd: string;
  /** One JSON document for a request for a stream. */
  readonly isWhole: boolean;
}

export interface ServerRow {
  readonly name: string;
  /** As in the table. */
  readonly title: string;
  readonly manners: readonly Manner[];
}

export const refusal = (status: number, error: object | string): Refusal => ({ status, body: { error } });

type Message = CompletionRequest["messages"][number];

export function callsIn(messages: readonly Message[]) {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
}

/** A refusal in one sentence, in the form of OpenAI's errors. */
export const inWords = (status: number, message: string, code: string | number | null = null): Refusal =>
  refusal(status, { message, type: "invalid_request_error", param: null, code });

/** A refusal in the form of vLLM's errors, which Mistral's have too: there is no `error` around it. */
export const unwrapped = (message: string, type = "BadRequestError", code: string | number = 400): Refusal => ({
  status: 400,
  body: { object: "error", message, type, param: null, code },
});

export const when =
  (isRefused: (request: CompletionRequest) => boolean, answer: Refusal) =>
  (request: CompletionRequest): Refusal | undefined =>
    isRefused(request) ? answer : undefined;
