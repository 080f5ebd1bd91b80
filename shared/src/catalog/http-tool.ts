/** A tool that is one HTTP request, as a file in `tools/` describes it. Streaming hosts make the request. */
import type { z } from "zod";

export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export interface HttpTool {
  readonly name: string;
  /** Written for the model: what it does and when to use it. */
  readonly description: string;
  /** What the arguments are checked by; `jsonSchema` in the file is what the model is told. */
  readonly parameters: z.ZodObject;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly request: HttpToolRequest;
  /** By the name that the model reads, where it is in the answer: keys and positions with dots between. Absent: all of it. */
  readonly result: Readonly<Record<string, string>> | undefined;
  /** What is told to the model about an answer that is an error, by its status. */
  readonly errors: ReadonlyMap<number, string>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** It leaves something behind: an interruption does not call it off, and such calls come one after the other. */
  readonly hasSideEffects: boolean;
  readonly slowNotice: string | undefined;
}

/** All texts are templates. */
export interface HttpToolRequest {
  readonly method: (typeof httpMethods)[number];
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON whose texts are templates. */
  readonly body: unknown;
}

/** What the templates of a request may use; those of headers also `secrets`, by name. */
export const httpToolVariables = ["args", "memory", "customer", "session_id", "agent_name"] as const;

const secretPattern = /\bsecrets\.([A-Z][A-Z0-9_]{0,63})/g;

/** `{{ … }}`; the parts of an address that come from arguments. */
export const placeholderPattern = /\{\{.*?\}\}/gs;

/** The host (and port, where it is not the protocol's own) that a tool talks to; the same for every call. */
export function hostOfHttpTool({ request }: Pick<HttpTool, "request">): string {
  return new URL(request.url.replaceAll(placeholderPattern, "x")).host;
}

export function secretsOfHttpTool({ request }: Pick<HttpTool, "request">): readonly string[] {
  const texts = Object.values(request.headers).join("\n");
  return [...texts.matchAll(secretPattern)].flatMap(([, name]) => name ?? []);
}
