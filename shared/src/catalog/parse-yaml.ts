import { parseDocument } from "yaml";
import { isPlainObject, type PlainObject } from "./deep-merge.ts";
import type { CatalogProblem } from "./problems.ts";

/** An empty file is an empty object. Undefined, and problems with their lines, when it is no YAML object. */
export function parseYaml(file: string, text: string, problems: CatalogProblem[]): PlainObject | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    for (const error of document.errors)
      problems.push({
        file,
        key: error.linePos === undefined ? "" : `line ${error.linePos[0].line}`,
        message: (error.message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:$/, ""),
      });
    return undefined;
  }
  const value: unknown = document.toJS() ?? {};
  if (isPlainObject(value)) return value;
  problems.push({ file, key: "", message: "expected keys and values" });
  return undefined;
}
