/** Sends one HTTP request with the user's token, and validates the parts of the answer that the page reads. */
import type { z } from "zod";

import { ApiProblem } from "./api-problem.ts";

/** Credentials for requests, wherever the token comes from. */
export interface Credentials {
  /** Undefined if none is needed. Rejects with an `ApiProblem` of status 401 if the user has to sign in first. */
  token(): Promise<string | undefined>;
  /** Called when the service refused this token. */
  refused(token: string | undefined): void;
}

interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Without a time limit, because a file takes as long as it takes. */
  readonly isLong?: boolean;
}

export interface Http {
  /** Rejects with an `ApiProblem` unless the request succeeded. */
  send(path: string, options?: RequestOptions): Promise<Response>;
  json<T>(path: string, schema: z.ZodType<T>, options?: RequestOptions): Promise<T>;
}

const timeoutMs = 10_000;

const apiPath = "/api/v1";

export function createHttp(fetchFrom: typeof fetch, credentials: Credentials): Http {
  async function send(
    path: string,
    { method = "GET", body, signal, isLong = false }: RequestOptions = {},
  ): Promise<Response> {
    const token = await credentials.token();
    const signals = [signal ?? [], isLong ? [] : AbortSignal.timeout(timeoutMs)].flat();
    const response = await fetchFrom(`${apiPath}${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      signal: AbortSignal.any(signals),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    if (response.status === 401) credentials.refused(token);
    throw new ApiProblem(response.status, await bodyOf(response));
  }
  return {
    send,
    async json(path, schema, options) {
      const response = await send(path, options);
      const body: unknown = await response.json();
      return schema.parse(body);
    },
  };
}

/** A proxy between the page and the service may have answered with a page of its own. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
