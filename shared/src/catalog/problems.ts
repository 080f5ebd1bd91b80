/** Collects all problems of a catalog in one pass, by file and key. */
import { type z } from "zod";
import { VoiceError } from "../platform/errors.ts";

export interface CatalogProblem {
  /** Relative to the catalog's folder. */
  readonly file: string;
  /** Dotted path of the key; empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
}

export class CatalogError extends VoiceError {
  readonly problems: readonly CatalogProblem[];

  constructor(problems: readonly CatalogProblem[]) {
    super("validation_error", problems.map(problemLine).join("\n"));
    this.problems = problems;
  }
}

export function problemLine(problem: CatalogProblem): string {
  return problem.key === ""
    ? `${problem.file}: ${problem.message}`
    : `${problem.file}: ${problem.key}: ${problem.message}`;
}

/** One problem per offending key: zod reports several unknown keys as one issue on their parent. */
export function schemaProblems(file: string, error: z.ZodError): readonly CatalogProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ file, key: [...issue.path, key].join("."), message: "unknown key" }));
    // zod reports a missing key as one of the wrong type.
    const message = issue.message.replace(/^Invalid input: expected \w+, received undefined$/, "is missing");
    return [{ file, key: issue.path.join("."), message }];
  });
}

/** A mistake in a shared file is reported once, and not once per agent. */
export function uniqueProblems(problems: readonly CatalogProblem[]): readonly CatalogProblem[] {
  return [...new Map(problems.map((problem) => [problemLine(problem), problem])).values()];
}
