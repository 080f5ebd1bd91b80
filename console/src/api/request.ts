/** Sends one HTTP request with the user's token, and validates the parts of the answer that the page reads. */
import type { z } from "zod";

import { ApiProblem, timeoutS, UnreadableAnswer } from "./api-problem.ts";

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
  /** Rejects with an `UnreadableAnswer` if the answer is not as expected. */
  json<T>(path: string, schema: z.ZodType<T>, options?: RequestOptions): Promise<T>;
}

const apiPath = "/api/v1";

export function createHttp(
  fetchFrom: typeof fetch,
  credentials: Credentials,
  onAnswer: () => void = () => undefined,
): Http {
  async function send(
    path: string,
    { method = "GET", body, signal, isLong = false }: RequestOptions = {},
  ): Promise<Response> {
    const token = await credentials.token();
    const signals = [signal ?? [], isLong ? [] : AbortSignal.timeout(timeoutS * 1000)].flat();
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
    onAnswer();
    if (response.ok) return response;
    if (response.status === 401) credentials.refused(token);
    throw new ApiProblem(response.status, await bodyOf(response), response.headers.get("retry-after"));
  }
  return {
    send,
    async json(path, schema, options) {
      const read = schema.safeParse(await bodyOf(await send(path, options)));
      if (!read.success) throw new UnreadableAnswer(`${path}: ${read.error.message}`);
      return read.data;
    },
  };
}

/** `?page=1&…`, without what is undefined. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const stated = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return stated.length === 0 ? "" : `?${new URLSearchParams(stated)}`;
}

/** A proxy between the page and the service may have answered with a page of its own. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
