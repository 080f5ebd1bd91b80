import { parseDocument } from "yaml";
import { isPlainObject, type PlainObject } from "./deep-merge.ts";
import type { CatalogProblem } from "./problems.ts";

/**
 * An empty file is an empty object. Returns undefined, and problems with their lines, if the text is not a YAML object.
 */
export function parseYaml(file: string, text: string, problems: CatalogProblem[]): PlainObject | undefined {
  const json = parseJson(text);
  if (isPlainObject(json)) return json;
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

/** JSON is also YAML and is parsed thirty times as fast, so bundles contain the catalog as JSON. */
function parseJson(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // YAML's flow mappings also begin with a brace, so on failure the YAML parser reports what is wrong.
    return undefined;
  }
}
