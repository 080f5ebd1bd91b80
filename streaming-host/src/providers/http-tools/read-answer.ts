/** Formats a tool's response for the model: done, not done, or not known. Pure. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { HttpTool } from "@voice/shared/catalog/http-tool";
import { doneUnread, failed, faulted, succeeded, unknownOutcome } from "@voice/shared/tools/outcome";
import type { ToolContext, ToolOutcome } from "@voice/shared/tools/tool";
import { isWebPage } from "../web-page.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** What is wrong with the body, as a continuation of "the answer"; `body` is then empty. */
  readonly unread?: string | undefined;
}

type AnsweredTool = Pick<HttpTool, "result" | "errors" | "hasSideEffects" | "isIdempotent">;
type Conversation = Pick<ToolContext, "language">;

/** Sentences that may be spoken to the caller unchanged, as the local model does. */
const refused = "That did not work: the service refused the request.";
const broken = "That did not work: the service is not working right now.";
const unreadable = "That did not work: the service answered in a form that cannot be read.";
const incomplete = "That did not work: the service's answer is not complete.";

/** The codes for responses that lack all fields, or some of those to be picked. */
const unreadableAnswer = "unreadable_answer";
const incompleteAnswer = "incomplete_answer";

/** `onFlaw` is called where the body of a response with 2xx cannot be used, with what is wrong with it. */
export function readAnswer(
  tool: AnsweredTool,
  answer: HttpAnswer,
  conversation: Conversation = {},
  onFlaw?: (what: string) => void,
): ToolOutcome {
  if (!isSuccess(answer.status)) return readFailure(tool, answer.status, conversation);
  const body = readBody(tool, answer);
  if ("fields" in body) return succeeded(body.fields);
  onFlaw?.(body.what);
  return readFlawed(tool, body, conversation);
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

interface Flaw {
  /** What is wrong with the answer, as a continuation of "the answer". It has no words of the service, so that the log may have it. */
  readonly what: string;
  /** The fields that are there, where others are missing. */
  readonly picked?: Readonly<Record<string, unknown>>;
  /** It was not written by the service that was asked, or not for a request that was carried out (TOOL-21, TOOL-6). */
  readonly isDoubtful: boolean;
}

/** The fields that the body of a response with 2xx gives, or why it cannot be used. */
function readBody(
  tool: AnsweredTool,
  { body, unread }: HttpAnswer,
): { readonly fields: Readonly<Record<string, unknown>> } | Flaw {
  if (unread !== undefined) return { what: unread, isDoubtful: false };
  const value = parsed(body);
  // A sign-in form, or the page of a proxy: given a success without any fields, a model would make them up.
  if (typeof value === "string" && isWebPage(value) && (tool.result !== undefined || tool.hasSideEffects))
    return { what: "is a web page", isDoubtful: true };
  if (tool.result === undefined) return { fields: isPlainObject(value) ? value : { answer: value } };
  // A response without a body means success, and contains nothing more (RFC 9110, section 15.3.5).
  if (body.trim() === "") return { what: "is empty", isDoubtful: false };
  if (typeof value === "string") return { what: "is not JSON", isDoubtful: false };
  const { picked, missing } = pickFields(tool.result, value);
  return missing.length === 0 ? { fields: picked } : { what: `lacks ${missing.join(", ")}`, picked, isDoubtful: true };
}

/** The cause is to be looked for in the service, not in the request (RFC 9110, section 15.6). */
export function isServersFault(status: number): boolean {
  return status >= 500;
}

/** TOOL-5: the status says that it was done, unless the body casts doubt on it (TOOL-6, TOOL-21). */
function readFlawed(tool: AnsweredTool, { what, picked, isDoubtful }: Flaw, conversation: Conversation): ToolOutcome {
  if (!tool.hasSideEffects)
    return picked === undefined ? faulted(unreadableAnswer, unreadable) : faulted(incompleteAnswer, incomplete);
  if (!isDoubtful) return doneUnread(what, conversation);
  const why = `The service accepted the request, but its answer ${what}.`;
  const unknown = unknownOutcome(why, tool, conversation);
  return { ...unknown, result: { ...picked, ...unknown.result } };
}

function readFailure(tool: AnsweredTool, status: number, conversation: Conversation): ToolOutcome {
  const words = tool.errors.get(status);
  if (tool.hasSideEffects && isAmbiguous(status)) {
    const why = `The service answered with the status ${status}${words === undefined ? "" : ` (${words})`}.`;
    return unknownOutcome(why, tool, conversation);
  }
  // A status for which the tool's file has words is an answer that its author expects.
  if (words !== undefined && !isServersFault(status)) return failed(`http_${status}`, words);
  return faulted(`http_${status}`, words ?? (isServersFault(status) ? broken : refused));
}

/**
 * TOOL-4: a service that fails (5xx) may have failed after the change, and a proxy sends 502 to 504 for services that are still working;
 * only 501 and 505 mean that the request was not understood. Accepted forms are answered with a redirect to the result (303, by older
 * services 301 and 302), and 307 and 308 ask for the request to be sent elsewhere.
 */
function isAmbiguous(status: number): boolean {
  return (status >= 500 && status !== 501 && status !== 505) || (status >= 300 && status < 307);
}

/**
 * TOOL-6: if a field were missing, a model would read out a sentence with a gap. Services also respond with 200 to a request that they
 * reject, so in that case it is not known whether a change was made.
 */
function pickFields(fields: NonNullable<HttpTool["result"]>, value: unknown) {
  const found = Object.entries(fields).map(([name, { path, isRequired }]) => ({
    name,
    isRequired,
    value: spoken(valueAt(value, path)),
  }));
  const picked = Object.fromEntries(
    found.flatMap((field) => (field.value === undefined ? [] : [[field.name, field.value]])),
  );
  const missing = found.filter((field) => field.isRequired && field.value === undefined).map(({ name }) => name);
  return { picked, missing };
}

/** Neither null nor an empty text can be read out. */
function spoken(value: unknown): unknown {
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}

/** JSON is parsed; everything else stays text. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not every service answers in JSON, and a model can read text as well.
    return body;
  }
}

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
}
