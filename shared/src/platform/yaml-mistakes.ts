/** What is wrong with a YAML text, in the words of somebody who writes agents and not of a parser. Pure. */
import { isCollection, LineCounter, parseDocument, visit, type Document, type YAMLError } from "yaml";

export interface YamlMistake {
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

export interface ParsedYaml {
  readonly document: Document;
  readonly mistakes: readonly YamlMistake[];
}

/** One mistake a line: the parser stumbles over what follows a mistake, too. */
export function parseYamlText(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, logLevel: "error" });
  const lines = text.split("\n");
  // A warning is about something that would have no effect, such as a tag (`!env NAME`) that means nothing here.
  const mistakes = [...document.errors, ...document.warnings].map((error) => describeMistake(error, lines));
  const found = mistakes.length > 0 ? mistakes : collectionsAsKeys(document, lineCounter);
  return { document, mistakes: [...new Map(found.toReversed().map((one) => [one.line, one])).values()].toReversed() };
}

/** `greeting: {{ name }}` is legal YAML, and means nothing that anybody wants. */
function collectionsAsKeys(document: Document, lineCounter: LineCounter): readonly YamlMistake[] {
  const mistakes: YamlMistake[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(key))
        mistakes.push({ line: lineCounter.linePos(key.range?.[0] ?? 0).line, message: inQuotes("begins with {") });
    },
  });
  return mistakes;
}

const inQuotes = (what: string): string => `the text ${what}, which means something in YAML: put it in quotes`;

const misplaced = "the line is indented differently from those that belong to it";

function describeMistake({ code, message, linePos }: YAMLError, lines: readonly string[]): YamlMistake {
  const line = linePos?.[0].line ?? 1;
  const column = linePos?.[0].col ?? 1;
  const text = lines[line - 1] ?? "";
  const parsersWords = (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:$/, "");
  if (parsersWords.startsWith("Flow "))
    return { line, message: "a bracket that was opened here or before is not closed: [ needs ], and { needs }" };
  switch (code) {
    case "TAB_AS_INDENT":
      return { line, message: "the line begins with a tab: indent it with spaces" };
    case "BAD_INDENT":
      return { line, message: misplaced };
    case "DUPLICATE_KEY":
      return { line, message: `${keyAt(text, column)} is there twice` };
    case "MISSING_CHAR":
      if (!parsersWords.includes("quote")) break;
      return { line: lineOfOpenQuote(lines) ?? line, message: "a quote that begins here is not closed" };
    case "TAG_RESOLVE_FAILED":
      return { line, message: "a tag (!) has no effect here: put text that begins with ! in quotes" };
    case "BLOCK_IN_FLOW":
      return { line, message: inQuotes("within the brackets has a colon in it") };
    case "BLOCK_AS_IMPLICIT_KEY":
      if (parsersWords.startsWith("A block sequence")) return { line, message: misplaced };
      break;
    default:
  }
  return { line, message: adviceFor(text) ?? parsersWords };
}

function keyAt(text: string, column: number): string {
  return /^[^:]*/.exec(text.slice(column - 1))?.[0].trim() ?? "a key";
}

const keyAndValue = /^(?:\s*-\s)*\s*(?:[^\s:#"'{[][^:#]*:(?:\s+|$))?(?<value>.*)$/;

/** What somebody most likely meant by a line over which the parser stumbles; undefined where that cannot be guessed. */
function adviceFor(line: string): string | undefined {
  const missingSpace = /^\s*(?:-\s+)*(?<key>[a-z_]+):(?=[^\s/:])/.exec(line)?.groups?.["key"];
  if (missingSpace !== undefined) return `a space is missing after "${missingSpace}:"`;
  const value = keyAndValue.exec(line)?.groups?.["value"]?.trim() ?? "";
  if (/^[|>]/.test(value)) return `text after ${value.slice(0, 1)} begins on the next line, indented`;
  const first = /^(?:\{|\[|[*&@`%])/.exec(value)?.[0];
  if (first !== undefined) return inQuotes(`begins with ${first}`);
  if (/^["']/.test(value))
    return "the text goes on after its closing quote: put all of it in quotes, and write a ' within '…' twice";
  if (/: |:$/.test(value)) return inQuotes("has a colon in it");
  return /^[-?] /.test(value) ? inQuotes(`begins with ${value.slice(0, 1)}`) : undefined;
}

/** The parser notices an open quote only at the end of the file. */
function lineOfOpenQuote(lines: readonly string[]): number | undefined {
  const index = lines.findIndex((line) => {
    const value = keyAndValue.exec(line)?.groups?.["value"]?.trim() ?? "";
    const quote = /^["']/.exec(value)?.[0];
    return quote !== undefined && !value.slice(1).includes(quote);
  });
  return index < 0 ? undefined : index + 1;
}
