/** Collects all problems of a catalog in one pass, by file and key. */
import { type z } from "zod";
import { keysAt } from "./keys-of-schema.ts";
import { didYouMean } from "./nearest-name.ts";
import { VoiceError } from "../platform/errors.ts";

export interface CatalogProblem {
  /** Relative to the catalog's folder. */
  readonly file: string;
  /** Dotted path of the key; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  /** Counted from 1; absent if it is not known, or if the problem is one of the whole file. */
  readonly line?: number | undefined;
  /** The path of the key where `key` names it in other words. */
  readonly path?: string | undefined;
}

export class CatalogError extends VoiceError {
  readonly problems: readonly CatalogProblem[];

  constructor(problems: readonly CatalogProblem[]) {
    super("validation_error", problems.map(problemLine).join("\n"));
    this.problems = problems;
  }
}

export function problemLine({ file, key, message, line }: CatalogProblem): string {
  const what = key === "" ? `${file}: ${message}` : `${file}: ${key}: ${message}`;
  return line === undefined ? what : `${what} (line ${line})`;
}

/**
 * One problem per offending key: zod reports several unknown keys as one issue on their parent. With the `schema` that rejected them, the
 * problem suggests what a misspelt key may have meant.
 */
export function schemaProblems(file: string, error: z.ZodError, schema?: z.ZodType): readonly CatalogProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const meant = schema === undefined ? "" : didYouMean(key, keysAt(schema, issue.path));
        return { file, key: [...issue.path, key].join("."), message: `unknown key${meant}` };
      });
    return [{ file, key: issue.path.join("."), message: isMissing(issue) ? "is missing" : issue.message }];
  });
}

/** zod reports a missing key as one of the wrong type, or of none of those that it may have. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_union")
    return issue.errors.length > 0 && issue.errors.flat().every((one) => one.path.length === 0 && isMissing(one));
  return /^Invalid input: expected \w+, received undefined$/.test(issue.message);
}

/** A mistake in a shared file is reported once, and not once per agent. */
export function uniqueProblems(problems: readonly CatalogProblem[]): readonly CatalogProblem[] {
  return [...new Map(problems.map((problem) => [problemLine(problem), problem])).values()];
}
