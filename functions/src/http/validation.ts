/** Converts zod's issues to the shape of HTTPValidationError. */
import type { ValidationError } from "@voice/shared/contracts/http/problem";
import type { z } from "zod";

export type InputPart = "path" | "query" | "body";

/** Enough to fix a request, while keeping a hostile request from causing an answer of several megabytes. */
const maxReportedErrors = 50;

/** The request does not fit its schema: 422. */
export class SchemaError extends Error {
  readonly errors: readonly ValidationError[];

  constructor(errors: readonly ValidationError[]) {
    super("the request does not fit its schema");
    this.name = "SchemaError";
    this.errors = errors.slice(0, maxReportedErrors);
  }
}

export function parsePart<Schema extends z.ZodType>(part: InputPart, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SchemaError(parsed.error.issues.flatMap((issue) => toValidationErrors(issue, [part], value)));
}

type Issue = z.core.$ZodIssue;
type Location = readonly (string | number)[];

function toValidationErrors(issue: Issue, base: Location, value: unknown): ValidationError[] {
  const loc = [...base, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      loc: [...loc, key.slice(0, 128)],
      msg: "Extra inputs are not permitted",
      type: "extra_forbidden",
    }));
  }
  if (issue.code === "invalid_union") {
    const branch = nearestBranch(issue.errors);
    if (branch.length > 0) return branch.flatMap((inner) => toValidationErrors(inner, loc, value));
  }
  if (issue.code === "invalid_type" && isMissing(issue, value)) {
    return [{ loc, msg: "Field required", type: "missing" }];
  }
  return [{ loc, msg: issue.message, type: typeOf(issue) }];
}

/** The member of a union that the caller most likely meant: the one with the fewest issues, the first on a tie. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const complaints = (branch: readonly Issue[]): number =>
    branch.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
  return branches.reduce<readonly Issue[]>(
    (best, branch) => (best.length === 0 || complaints(branch) < complaints(best) ? branch : best),
    [],
  );
}

function isMissing(issue: Issue, value: unknown): boolean {
  let current = value;
  for (const step of issue.path) {
    if (typeof current !== "object" || current === null) return false;
    current = Reflect.get(current, step);
  }
  return current === undefined;
}

function isLength(origin: string): boolean {
  return origin === "string" || origin === "array";
}

function typeOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `${expectedNames[issue.expected] ?? issue.expected}_type`;
    case "too_small":
      if (isLength(issue.origin)) return `${issue.origin}_too_short`;
      return issue.inclusive === false ? "greater_than" : "greater_than_equal";
    case "too_big":
      if (isLength(issue.origin)) return `${issue.origin}_too_long`;
      return issue.inclusive === false ? "less_than" : "less_than_equal";
    case "invalid_format":
      return issue.format === "regex" ? "string_pattern_mismatch" : `${issue.format}_invalid`;
    case "invalid_value":
      return "enum";
    default:
      return "value_error";
  }
}

const expectedNames: Readonly<Record<string, string>> = {
  boolean: "bool",
  object: "dict",
  record: "dict",
  array: "list",
  number: "float",
};
