/**
 * An error as it may stand in the log. Libraries hang what they were doing on their errors (the arguments of a command, a
 * request with its headers), and among it are passwords and tokens: only what is named here is kept, whatever the library.
 */

/** Deeper than any chain of ours; a cycle of causes ends as well. */
const deepestCause = 5;
/** A vendor may answer with all that it was sent, and libraries make a message of it. */
const longestMessage = 300;
/** One for each address or node that was tried. */
const mostErrors = 5;

export interface ErrorForLog {
  readonly name: string;
  readonly code?: string | number;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorForLog;
  /** The errors inside an `AggregateError`, whose own message is often empty. */
  readonly errors?: readonly ErrorForLog[];
}

export function toErrorForLog(error: unknown, depth = 0): ErrorForLog {
  if (!(error instanceof Error)) {
    return { name: typeof error, message: typeof error === "string" ? error : "a non-error was thrown" };
  }
  const { name, message, stack, cause } = error;
  const code = "code" in error ? error.code : undefined;
  const parts = error instanceof AggregateError ? error.errors.slice(0, mostErrors) : [];
  const goesDeeper = depth < deepestCause;
  return {
    name,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    message: message.slice(0, longestMessage),
    ...(stack === undefined ? {} : { stack: placesOf(stack) }),
    ...(cause !== undefined && goesDeeper ? { cause: toErrorForLog(cause, depth + 1) } : {}),
    ...(parts.length > 0 && goesDeeper ? { errors: parts.map((part) => toErrorForLog(part, depth + 1)) } : {}),
  };
}

/** The lines that say where; the message stands before them, in its full length. */
function placesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => line.startsWith("    at "))
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
