/** A tool that is one HTTP request, as a file in `tools/` describes it. Streaming hosts make the request. */
import type { z } from "zod";

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export interface HttpTool {
  readonly name: string;
  /** Written for the model: what it does and when to use it. */
  readonly description: string;
  /** Validates the arguments; the model receives the file's `jsonSchema`. */
  readonly parameters: z.ZodObject;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly request: HttpToolRequest;
  /** The fields of the response for the model, by name. If absent, the whole response. */
  readonly result: Readonly<Record<string, ResponseField>> | undefined;
  /** What the model receives about an error response, keyed by its status. */
  readonly errors: ReadonlyMap<number, string>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** The request has a side effect: an interruption does not cancel it, and such calls run one after the other. */
  readonly hasSideEffects: boolean;
  /** Only for a caller whose identity has been verified. */
  readonly needsVerifiedCaller: boolean;
  /** The request can be repeated without doing anything twice (RFC 9110, section 9.2.2). */
  readonly isIdempotent: boolean;
  readonly slowNotice: string | undefined;
}

export interface ResponseField {
  /** Keys and positions separated by dots. */
  readonly path: string;
  /** A response without this field is useless. */
  readonly isRequired: boolean;
}

/** All strings are templates. */
export interface HttpToolRequest {
  readonly method: (typeof httpMethods)[number];
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON whose strings are templates. */
  readonly body: unknown;
}

/** The variables for a request's templates; headers may also use `secrets`, by name. */
export const httpToolVariables = ["args", "memory", "customer", "session_id", "agent_name"] as const;

/** Includes forms that no secret has, so that a misspelt one is reported and not sent as an empty header. */
const secretPattern = /\bsecrets(?:\.|\[\s*["'])([\w-]+)/g;

/** `{{ … }}`; the parts of an address that come from arguments. */
export const placeholderPattern = /\{\{.*?\}\}/gs;

/** The host that a tool calls, with the port if it is not the protocol's default; the same for every call. */
export function hostOfHttpTool({ request }: Pick<HttpTool, "request">): string {
  return new URL(request.url.replaceAll(placeholderPattern, "x")).host;
}

export function secretsOfHttpTool({ request }: Pick<HttpTool, "request">): readonly string[] {
  const texts = Object.values(request.headers).join("\n");
  return [...texts.matchAll(secretPattern)].flatMap(([, name]) => name ?? []);
}
