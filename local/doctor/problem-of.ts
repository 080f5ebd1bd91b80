/** Describes an error down to the cause that a person can fix: our own errors say what failed, and their causes say why. */

/** Deeper than any chain of causes in our code. */
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

/** When several addresses were tried, an `AggregateError` holds the error of each, and often has no message of its own. */
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
