/** An endpoint's definition together with the code that answers it. */
import type { Caller } from "@voice/shared/auth/caller";
import type { Endpoint, ReplyOf } from "@voice/shared/contracts/http/endpoint";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { parsePart } from "./validation.ts";

export interface RequestInfo {
  readonly requestId: string;
  /** Absolute; host and scheme as the client used them. */
  readonly url: string;
  readonly path: string;
  header(name: string): string | undefined;
  /** Who is calling, once that has been checked. */
  readonly caller: Caller;
  /** The request's span, as the parent of the work that it causes. */
  readonly traceparent: string | undefined;
}

interface Input<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: RequestInfo;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with the endpoint's content type. */
  readonly text?: string;
  /** A streamed body needs a `content-length` header. */
  readonly bytes?: Uint8Array | AsyncIterable<Uint8Array>;
}

type RawInput = Input<unknown, unknown, unknown>;

export interface Route {
  readonly endpoint: Endpoint;
  handle(input: RawInput, dependencies: Dependencies): Promise<Reply>;
}

/**
 * Binds a handler to its endpoint. Input is parsed here, where the definition's types are still known. Curried, because
 * the handler's type is inferred from the endpoint's.
 */
export function route<E extends Endpoint>(
  endpoint: E,
): (handler: (input: InputOf<E>, dependencies: Dependencies) => Promise<ReplyOf<E["responses"]>>) => Route {
  return (handler) => ({
    endpoint,
    handle: async (input, dependencies) => handler(parseInput(endpoint, input), dependencies),
  });
}

/** Likewise, for an endpoint that answers with 200 and JSON, as nearly all do: its handler returns the body alone. */
export function answer<E extends JsonEndpoint>(
  endpoint: E,
): (handler: (input: InputOf<E>, dependencies: Dependencies) => Promise<BodyOf<E>>) => Route {
  return (handler) => ({
    endpoint,
    handle: async (input, dependencies) => ({
      status: 200,
      body: await handler(parseInput(endpoint, input), dependencies),
    }),
  });
}

type JsonEndpoint = Endpoint & { readonly responses: { readonly 200: { readonly schema: z.ZodType } } };
type BodyOf<E extends JsonEndpoint> = z.input<E["responses"][200]["schema"]>;
type InputOf<E extends Endpoint> = Input<z.output<E["params"]>, z.output<E["query"]>, z.output<E["body"]>>;

function parseInput<E extends Endpoint>(endpoint: E, input: RawInput): InputOf<E> {
  return {
    params: parsePart<E["params"]>("path", endpoint.params, input.params),
    query: parsePart<E["query"]>("query", endpoint.query, input.query),
    body: parsePart<E["body"]>("body", endpoint.body, input.body),
    request: input.request,
  };
}
