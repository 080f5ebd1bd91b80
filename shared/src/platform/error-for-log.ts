/**
 * Reduces an error to what may be logged. Libraries attach the failed operation to their errors (a command's arguments,
 * a request with its headers), including passwords and tokens, and a vendor's message may quote what it was sent: a
 * number, a name, the prompt. So only the fields named here are kept: our own sentences, Node's own error messages, and
 * from all others a status, a code, a type and a request id, each in a form that cannot contain anything else.
 */
import { VoiceError } from "./errors.ts";
import { requestIdOf, wordOf } from "./foreign-facts.ts";

/** Deeper than any chain of causes in this product; the limit also stops at cycles. */
const deepestCause = 5;
/** Our own sentences are shorter. */
const longestMessage = 300;
/** The most errors of an `AggregateError`: one for each address or node that was tried. */
const mostErrors = 5;

/** Stack frames located in a file, in Node, or natively; a message may contain lines that look like other frames. */
const placeForm = /^ {4}at .*(:\d+:\d+\)?|\(<anonymous>\)|\(native\))$/;
/** The code with which Redis's error replies begin. */
const leadingCode = /^[A-Z]{2,24}(?= )/;

export interface ErrorForLog {
  readonly name: string;
  readonly code?: string | number;
  readonly status?: number;
  readonly type?: string;
  readonly requestId?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorForLog;
  /** The errors inside an `AggregateError`, whose own message is often empty. */
  readonly errors?: readonly ErrorForLog[];
}

export function toErrorForLog(error: unknown, depth = 0): ErrorForLog {
  if (!(error instanceof Error)) return { name: typeof error, message: "something that is no error was thrown" };
  const { name, stack, cause } = error;
  const parts = error instanceof AggregateError ? error.errors.slice(0, mostErrors) : [];
  const goesDeeper = depth < deepestCause;
  return {
    name: wordOf(name) ?? "Error",
    ...factsOf(error),
    message: messageOf(error),
    ...(stack === undefined ? {} : { stack: placesOf(stack, error.message) }),
    ...(cause !== undefined && goesDeeper ? { cause: toErrorForLog(cause, depth + 1) } : {}),
    ...(parts.length > 0 && goesDeeper ? { errors: parts.map((part) => toErrorForLog(part, depth + 1)) } : {}),
  };
}

function factsOf(error: Error): Pick<ErrorForLog, "code" | "status" | "type" | "requestId"> {
  const given = new Map<string, unknown>(Object.entries(error));
  const code = codeOf(given.get("code")) ?? leadingCode.exec(error.message)?.[0];
  const status = [given.get("status"), given.get("statusCode")].find(isStatus);
  const type = wordOf(given.get("type"));
  const requestId = ["requestId", "requestID", "request_id"].map((key) => requestIdOf(given.get(key))).find(Boolean);
  return {
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Short numbers are statuses and close codes; a longer one may be a phone number. */
function codeOf(code: unknown): string | number | undefined {
  return typeof code === "number" && Number.isInteger(code) && Math.abs(code) < 10_000 ? code : wordOf(code);
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value < 600;
}

/** The JavaScript engine's message about a bug of ours, cut off before it would quote a value. */
const mistake =
  /^(Cannot (read|set) properties of (undefined|null)|Maximum call stack size exceeded|fetch failed)|is not (a function|a constructor|iterable|defined)$/;

function messageOf(error: Error): string {
  if (error instanceof VoiceError) return error.message.slice(0, longestMessage);
  if ("syscall" in error) return `${wordOf(error.syscall) ?? "a call of the system"} failed`;
  return mistake.exec(error.message)?.[0] ?? "in the words of somebody else, which may quote what they were sent";
}

/** The stack frames only; a stack begins with the full message. */
function placesOf(stack: string, message: string): string {
  const at = message === "" ? -1 : stack.indexOf(message);
  return (at === -1 ? stack : stack.slice(at + message.length))
    .split("\n")
    .filter((line) => placeForm.test(line))
    .join("\n");
}

/** The fields of a log line with every error in them reduced as above, whatever its key. */
export function withErrorsForLog(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      key === "error" || value instanceof Error ? toErrorForLog(value) : value,
    ]),
  );
}
