/**
 * An error as it may stand in the log. Libraries hang what they were doing on their errors (the arguments of a command, a
 * request with its headers), and among it are passwords and tokens; and a vendor's message may quote what it was sent: a
 * number, a name, the prompt. So only what is named here is kept, and of foreign prose nothing: our own sentences, the words
 * of Node's own errors, and from everybody else a status, a code, a type and a request id, each in a form that holds no
 * more than that.
 */
import { VoiceError } from "./errors.ts";
import { requestIdOf, wordOf } from "./foreign-facts.ts";

/** Deeper than any chain of ours; a cycle of causes ends as well. */
const deepestCause = 5;
/** Our own sentences are shorter. */
const longestMessage = 300;
/** One for each address or node that was tried. */
const mostErrors = 5;

/** With a place in a file, in Node or in nothing: a message may have lines that look like the others. */
const placeForm = /^ {4}at .*(:\d+:\d+\)?|\(<anonymous>\)|\(native\))$/;
/** What Redis answers begins with one. */
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

/** Numbers are statuses and close codes; anything longer may be somebody's. */
function codeOf(code: unknown): string | number | undefined {
  return typeof code === "number" && Number.isInteger(code) && Math.abs(code) < 10_000 ? code : wordOf(code);
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value < 600;
}

/** What the engine says of a mistake of ours, up to where it would quote. */
const mistake =
  /^(Cannot (read|set) properties of (undefined|null)|Maximum call stack size exceeded|fetch failed)|is not (a function|a constructor|iterable|defined)$/;

function messageOf(error: Error): string {
  if (error instanceof VoiceError) return error.message.slice(0, longestMessage);
  if ("syscall" in error) return `${wordOf(error.syscall) ?? "a call of the system"} failed`;
  return mistake.exec(error.message)?.[0] ?? "in the words of somebody else, which may quote what they were sent";
}

/** The lines that say where; the message stands before them, in its full length. */
function placesOf(stack: string, message: string): string {
  const at = message === "" ? -1 : stack.indexOf(message);
  return (at === -1 ? stack : stack.slice(at + message.length))
    .split("\n")
    .filter((line) => placeForm.test(line))
    .join("\n");
}

/** The fields of a log line, with every error among them as above, under whatever key it stands. */
export function withErrorsForLog(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      key === "error" || value instanceof Error ? toErrorForLog(value) : value,
    ]),
  );
}
