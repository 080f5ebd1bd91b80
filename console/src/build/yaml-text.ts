/** A part of a document as people edit it, in YAML. Pure. */
import { parseYamlText } from "@voice/shared/platform/yaml-mistakes";
import { stringify } from "yaml";

import { isDocument } from "./document-path.ts";

export interface ReadYaml {
  /** Undefined if there is nothing, so that the document is without it. */
  readonly value: unknown;
  /** A sentence with the line, if the text cannot be read. */
  readonly problem: string | undefined;
}

export function readYaml(text: string): ReadYaml {
  if (text.trim() === "") return { value: undefined, problem: undefined };
  const {
    document,
    mistakes: [mistake],
  } = parseYamlText(text);
  if (mistake !== undefined) return { value: undefined, problem: `Line ${mistake.line}: ${mistake.message}.` };
  const value: unknown = document.toJS();
  if (isDocument(value)) return { value, problem: undefined };
  return { value: undefined, problem: "Names with values are expected here, such as name: value." };
}

export function writeYaml(value: unknown): string {
  return value === undefined ? "" : stringify(value, { lineWidth: 100 });
}
