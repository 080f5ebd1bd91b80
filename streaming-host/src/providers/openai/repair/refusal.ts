/** The content of a rejection. Its text may quote the prompt, so it is interpreted and never logged. */
import { APIError } from "openai";
import { isPlainObject } from "@voice/shared/platform/plain-object";

export interface Refusal {
  readonly status: number;
  /** The vendor's own text, in lower case, including the names of its fields. */
  readonly text: string;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** Fields such as llama.cpp's `n_ctx` and `n_prompt_tokens`. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The text that two refusals of the same kind share, whatever ids and numbers they name. */
  readonly signature: string;
}

/** Long enough for every explanation; pydantic's repeat the whole input after it. */
const longestText = 4_000;
/** These statuses mean that the request is at fault. 413: it is too large. */
const ofRequest = new Set([400, 413, 422]);
/**
 * With these statuses, either the server or the request may be at fault: llama.cpp, Ollama and oMLX report an exception of a chat template
 * as 500, mlx_lm as 404, TGI as 424, and OpenRouter a parameter that no provider has as 404.
 */
const perhapsOfRequest = new Set([404, 405, 415, 424, 500, 501]);

/** Undefined if the request cannot be at fault: access, quota, rate limits, the connection. */
export function readRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof APIError)) return undefined;
  const body: unknown = error.error;
  const fields = isPlainObject(body) ? body : {};
  const status = error.status ?? statusIn(fields);
  if (status === undefined || !(ofRequest.has(status) || perhapsOfRequest.has(status))) return undefined;
  const code = typeof error.code === "string" ? error.code : undefined;
  const param = typeof error.param === "string" ? error.param : undefined;
  const said = typeof body === "string" ? body : JSON.stringify(body ?? error.message);
  const text = said.slice(0, longestText).toLowerCase();
  return {
    status,
    text,
    code,
    param,
    numbers: numbersIn(fields),
    signature: [status, code, param, text.replaceAll(/[\da-f-]{8,}|\d+/g, "#").slice(0, 300)].join(" "),
  };
}

/** The status alone decides; with the other statuses, the text has to. */
export function isSurelyAboutRequest({ status }: Refusal): boolean {
  return ofRequest.has(status);
}

/** The status in an error inside a stream that started with 200, as OpenRouter and LiteLLM send it. */
function statusIn({ code, status }: Readonly<Record<string, unknown>>): number | undefined {
  return [code, status].map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600);
}

function numbersIn(fields: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : [])),
  );
}
