/** What a draft changes, field by field, and line by line within a text. Pure. */
import type { Document } from "../api/build-api.ts";
import { isDocument } from "./document-path.ts";

export interface Difference {
  /** Where: `voice.voice_rate`. */
  readonly path: string;
  readonly lines: readonly { readonly kind: "same" | "removed" | "added"; readonly text: string }[];
}

export function differencesOf(before: Document | undefined, after: Document): readonly Difference[] {
  const [old, young] = [flattened(before ?? {}), flattened(after)];
  return [...new Set([...old.keys(), ...young.keys()])]
    .filter((path) => old.get(path) !== young.get(path))
    .map((path) => ({ path, lines: lineDifferences(linesOf(old.get(path)), linesOf(young.get(path))) }));
}

/** Texts by their paths. A list is one text, with a line for each entry. */
function flattened(document: Document, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(document)) {
    const place = path === "" ? name : `${path}.${name}`;
    if (value === undefined) continue;
    if (isDocument(value)) for (const [below, text] of flattened(value, place)) found.set(below, text);
    else if (Array.isArray(value)) found.set(place, value.map(entryOf).join("\n"));
    else found.set(place, entryOf(value));
  }
  return found;
}

function entryOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split("\n");
}

/** By the longest common subsequence. Prompts have a few hundred lines. */
function lineDifferences(before: readonly string[], after: readonly string[]): Difference["lines"] {
  const lengths = Array.from({ length: before.length + 1 }, () => Array.from(after, () => 0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--) {
      const line = lengths[row];
      if (line === undefined) continue;
      line[column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const lines: { kind: "same" | "removed" | "added"; text: string }[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, young] = [before[row], after[column]];
    if (old !== undefined && old === young) {
      lines.push({ kind: "same", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (young === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: "removed", text: old });
      row += 1;
    } else {
      lines.push({ kind: "added", text: young ?? "" });
      column += 1;
    }
  }
  return lines;
}
