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
  /** The request's own span, for what goes on because of it. */
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
  /** Where they come in pieces, `content-length` has to say how many there will be. */
  readonly bytes?: Uint8Array | AsyncIterable<Uint8Array>;
}

type RawInput = Input<unknown, unknown, unknown>;

export interface Route {
  readonly endpoint: Endpoint;
  handle(input: RawInput, dependencies: Dependencies): Promise<Reply>;
}

/**
 * Binds a handler to its endpoint. The frame calls `handle` with what came in; parsing happens here, where the types of
 * the definition are still known. In two steps, because the handler's type follows from the endpoint's.
 */
export function route<E extends Endpoint>(endpoint: E): (handler: Handler<E>) => Route {
  return (handler) => ({
    endpoint,
    handle: async (input, dependencies) =>
      handler(
        {
          params: parsePart<E["params"]>("path", endpoint.params, input.params),
          query: parsePart<E["query"]>("query", endpoint.query, input.query),
          body: parsePart<E["body"]>("body", endpoint.body, input.body),
          request: input.request,
        },
        dependencies,
      ),
  });
}

export type Handler<E extends Endpoint> = (
  input: Input<z.output<E["params"]>, z.output<E["query"]>, z.output<E["body"]>>,
  dependencies: Dependencies,
) => Promise<ReplyOf<E["responses"]>>;
