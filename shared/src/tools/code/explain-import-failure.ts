/** Explains why a user's own module fails to load: what to change, and where. */
import { fileURLToPath } from "node:url";

const installIt = "install it in the folder (npm install), and write the file's ending in a path";

const explanations: Readonly<Record<string, (message: string) => string>> = {
  ERR_MODULE_NOT_FOUND: (message) => `${message.replace(/ imported from .*/s, "")}; ${installIt}`,
  MODULE_NOT_FOUND: (message) => `${message}; ${installIt}`,
  ERR_UNKNOWN_FILE_EXTENSION: () =>
    `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or newer, or write the module in JavaScript`,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: (message) =>
    `${message}; Node leaves types out and compiles nothing, so no enums, namespaces or parameter properties`,
  ERR_INVALID_TYPESCRIPT_SYNTAX: (message) => `is no TypeScript: ${message}`,
  ERR_UNSUPPORTED_DIR_IMPORT: () => "is a folder; name the file in it",
};

/** Also what Node says of a type, which is gone when the module runs. */
const noSuchExport = /does not provide an export named/;

/** `module`: its absolute path. */
export function explainImportFailure(error: unknown, module: string): string {
  if (!(error instanceof Error)) return "throws something that is no error while it loads";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const message = error.message.split("\n").find((line) => line.trim() !== "") ?? error.name;
  if (code === "ERR_MODULE_NOT_FOUND" && message.startsWith(`Cannot find module '${module}' `))
    return "there is no such file";
  const explained = explanations[code]?.(message);
  const place = placeOf(error, module);
  if (explained !== undefined) return `${explained}${place}`;
  if (error instanceof SyntaxError && noSuchExport.test(message))
    return `${message}; a type is imported with "import type"${place}`;
  if (error instanceof SyntaxError) return `cannot be read: ${message}${place}`;
  return `fails while it loads: ${message}${place}`;
}

/** Node prints where a syntax error is before everything else; other errors begin their stack there. */
const head = /^((?:file:\/\/)?\/.*?):(\d+)(?::\d+)?$/;
const frame = /^ +at (?:.* \()?(file:\/\/\/.*?|\/.*?):(\d+):\d+\)?$/;

function placeOf({ stack = "" }: Error, module: string): string {
  const [first = "", ...rest] = stack.split("\n");
  const frames = rest.map((at) => frame.exec(at));
  const [, named, line] = head.exec(first) ?? frames.find((found) => found !== null) ?? [];
  if (named === undefined || line === undefined) return "";
  const file = named.startsWith("file:") ? fileURLToPath(named) : named;
  if (file === module) return ` (line ${line})`;
  // A frame of the service itself, or of a package, is not where anybody has to look.
  return head.test(first) ? ` (${file}:${line})` : "";
}
