/** Parses the request's body as JSON, or as a form. Refusals say what to send instead. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { HttpRequest } from "@azure/functions";
import { BadRequestError } from "@voice/shared/platform/errors";
import { sizeOfJson } from "@voice/shared/platform/json-size";
import { bodyTooLarge, codingUnsupported, type acceptedCodings } from "./problems.ts";
import { SchemaError } from "./validation.ts";

/** Event Grid delivers up to 1 MB; everything else is far smaller. */
const maxBodyBytes = 1_048_576;

/** No legitimate request nests this deeply, and serialising deeper JSON would overflow the stack. */
const maxDepth = 64;

/** Twice the size of the largest agent, and enough for five hundred Event Grid events. */
const maxValues = 10_000;

const jsonType = /^(application|text)\/([\w.+-]+\+)?json\s*(;|$)/i;

export async function readJsonBody(request: HttpRequest, isRequired: boolean): Promise<unknown> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  const text = await readText(request);
  if (Buffer.byteLength(text) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
  if (text.trim() === "") {
    requireNothingLost(request);
    if (isRequired) throw new SchemaError([{ loc: ["body"], msg: "Field required", type: "missing" }]);
    return undefined;
  }
  const contentType = request.headers.get("content-type");
  if (contentType !== null && !jsonType.test(contentType)) {
    throw new BadRequestError("validation_error", "The request body must be JSON.", [
      { field: "content-type", message: "Send application/json", code: "content_type_unsupported" },
    ]);
  }
  requireModestSize(text);
  return parseJson(text);
}

/** A service's form has some dozens of short fields. */
const maxFormBytes = 65_536;

export async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  const text = await readText(request);
  if (Buffer.byteLength(text) > maxFormBytes) throw bodyTooLarge(maxFormBytes);
  return new URLSearchParams(text);
}

function requireModestSize(text: string): void {
  const { depth, values } = sizeOfJson(text);
  if (depth > maxDepth) {
    throw new BadRequestError("validation_error", "The request body is nested too deeply.", [
      { field: "body", message: `At most ${maxDepth} levels`, code: "json_too_deep" },
    ]);
  }
  if (values > maxValues) {
    throw new BadRequestError("validation_error", "The request body holds too much.", [
      { field: "body", message: `At most ${maxValues} values, and it has ${values}`, code: "json_too_large" },
    ]);
  }
}

type Coding = (typeof acceptedCodings)[number];

/** The limit applies while the body is being inflated, so an oversized one is never held in memory. */
const inflaters: Readonly<Record<Coding, (body: Uint8Array, bound: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function readText(request: HttpRequest): Promise<string> {
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (coding === "" || coding === "identity") return request.text();
  if (!isAccepted(coding)) throw codingUnsupported();
  const body = new Uint8Array(await request.arrayBuffer());
  if (body.length === 0) return "";
  try {
    return (await inflaters[coding](body, { maxOutputLength: maxBodyBytes })).toString("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw bodyTooLarge(maxBodyBytes);
    throw new BadRequestError("validation_error", "The request body is not what its Content-Encoding says.", [
      { field: "body", message: `Cannot be read as ${coding}`, code: "content_encoding_invalid" },
    ]);
  }
}

function isAccepted(coding: string): coding is Coding {
  return Object.hasOwn(inflaters, coding);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadRequestError("validation_error", "The request body is not valid JSON.", [
      { field: "body", message: "Malformed JSON", code: "json_invalid" },
    ]);
  }
}

/**
 * The Functions host passes a chunked body on as an empty one. If the body is optional, the request would otherwise be processed as if it
 * contained nothing.
 */
function requireNothingLost(request: HttpRequest): void {
  if (!request.headers.has("transfer-encoding")) return;
  const msg = "A chunked body is not read: send it with a Content-Length";
  throw new SchemaError([{ loc: ["body"], msg, type: "missing" }]);
}
