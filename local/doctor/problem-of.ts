/** What went wrong, down to the cause that a person can mend: our own errors say what failed, their causes why. */

/** Deeper than any chain of ours. */
const deepestCause = 4;
const longestPart = 200;

export function problemOf(error: unknown): string {
  const parts: string[] = [];
  let current = error;
  for (let depth = 0; depth < deepestCause && current instanceof Error; depth++) {
    for (const part of partsOf(current)) if (!parts.some((known) => known.includes(part))) parts.push(part);
    current = current.cause;
  }
  return parts.length === 0 ? "it failed without saying why" : parts.join(": ");
}

/** Of several addresses that were tried, an `AggregateError` has each one's error and often no words of its own. */
function partsOf(error: Error): string[] {
  const own = error.message.split("\n").find((line) => line.trim() !== "") ?? "";
  if (own !== "") return [own.trim().slice(0, longestPart)];
  if (error instanceof AggregateError)
    return error.errors
      .filter((one) => one instanceof Error)
      .flatMap(partsOf)
      .slice(0, 1);
  return "code" in error && typeof error.code === "string" ? [error.code] : [error.name];
}
