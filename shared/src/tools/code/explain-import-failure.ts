/** Explains why a module in TOOLS_DIR fails to load, in words that say what to change. */

const explanations: Readonly<Record<string, (message: string) => string>> = {
  ERR_MODULE_NOT_FOUND: (message) =>
    `${message.replace(/ imported from .*/s, "")}; install it in the folder (npm install), and write the file's ending in a path`,
  ERR_UNKNOWN_FILE_EXTENSION: () =>
    `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or newer, or write the module in JavaScript`,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: (message) =>
    `${message}; Node leaves types out and compiles nothing, so no enums, namespaces or parameter properties`,
  ERR_INVALID_TYPESCRIPT_SYNTAX: (message) => `is no TypeScript: ${message}`,
};

export function explainImportFailure(error: unknown): string {
  if (!(error instanceof Error)) return "throws something that is no error while it loads";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const message = error.message.split("\n").find((line) => line.trim() !== "") ?? error.name;
  const explained = explanations[code]?.(message);
  if (explained !== undefined) return explained;
  if (error instanceof SyntaxError) return `cannot be read: ${message}${placeOf(error)}`;
  return `fails while it loads: ${message}${placeOf(error)}`;
}

/** Node prints the location of a syntax error before everything else. */
function placeOf({ stack = "" }: Error): string {
  const [, line] = /^(?:file:\/\/)?\/.*?:(\d+)(?::\d+)?$/m.exec(stack.split("\n")[0] ?? "") ?? [];
  return line === undefined ? "" : ` (line ${line})`;
}
