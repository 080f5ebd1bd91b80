import type { Document } from "yaml";
import { isPlainObject, type PlainObject } from "../platform/plain-object.ts";
import type { CatalogProblem } from "./problems.ts";
import { parseYamlText } from "../platform/yaml-mistakes.ts";

/**
 * An empty file is an empty object. Returns undefined, and problems with their lines, if the text is not a YAML object.
 */
export function parseYaml(file: string, text: string, problems: CatalogProblem[]): PlainObject | undefined {
  const json = parseJson(text);
  if (isPlainObject(json)) return json;
  const { document, mistakes } = parseYamlText(text);
  if (mistakes.length > 0) {
    problems.push(...mistakes.map(({ line, message }) => ({ file, key: "", line, message })));
    return undefined;
  }
  const read = withAliases(document);
  if (isPlainObject(read.value)) return read.value;
  problems.push({ file, key: "", message: read.problem ?? "expected keys and values" });
  return undefined;
}

/** Aliases are only followed here, so problems with them only show here, as an exception. */
function withAliases(document: Document): { readonly value?: unknown; readonly problem?: string } {
  try {
    const value: unknown = document.toJS() ?? {};
    JSON.stringify(value); // throws where an alias stands within its own anchor
    return { value };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: error instanceof TypeError ? "an alias (*) stands within its own anchor (&)" : error.message };
  }
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
