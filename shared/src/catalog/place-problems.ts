/** Finds the line of each mistake, so that nobody counts `dialogues.4.steps.1` by hand. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Document } from "yaml";
import type { CatalogProblem } from "./problems.ts";

/** `textOf`: the text of a file; undefined if it does not exist, or is not the file in which the problem was found. */
export function placeProblems(
  problems: readonly CatalogProblem[],
  textOf: (file: string) => string | undefined,
): readonly CatalogProblem[] {
  const parsed = new Map<string, Lines | undefined>();
  return problems.map((problem) => {
    const { file, key, path = key } = problem;
    if (problem.line !== undefined || path === "") return problem;
    if (!parsed.has(file)) parsed.set(file, linesOf(textOf(file)));
    const line = parsed.get(file)?.(path);
    return line === undefined ? problem : { ...problem, line };
  });
}

type Lines = (path: string) => number | undefined;

function linesOf(text: string | undefined): Lines | undefined {
  if (text === undefined) return undefined;
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  return (path) => {
    const offset = offsetOf(document, path);
    return offset === undefined ? undefined : lineCounter.linePos(offset).line;
  };
}

/**
 * For a missing key the place is that of its parent; except at the top of a file, which may have inherited the wrong key from a file that
 * is merged under it.
 */
function offsetOf(document: Document, path: string): number | undefined {
  let node: unknown = document.contents;
  let rest = path;
  let offset: number | undefined;
  for (let depth = 0; rest !== ""; depth++) {
    const step = stepInto(node, rest);
    if (step === undefined) return depth >= 2 && !rest.includes(".") ? offset : undefined;
    ({ node, rest, offset } = step);
  }
  return offset;
}

interface Step {
  readonly node: unknown;
  readonly rest: string;
  readonly offset: number | undefined;
}

/** A key of the file may contain a dot itself. */
function stepInto(node: unknown, path: string): Step | undefined {
  const entries = isSeq(node)
    ? node.items.map((item, index) => ({ name: String(index), at: item, value: item }))
    : isMap(node)
      ? node.items.map(({ key, value }) => ({ name: isScalar(key) ? String(key.value) : "", at: key, value }))
      : [];
  const found = entries.find(({ name }) => path === name || path.startsWith(`${name}.`));
  if (found === undefined) return undefined;
  return { node: found.value, rest: path.slice(found.name.length + 1), offset: startOf(found.at) };
}

function startOf(node: unknown): number | undefined {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)
    ? Number(node.range[0])
    : undefined;
}
