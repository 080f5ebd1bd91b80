/** Why the service did not do what was asked, in its own words if it gave any. */
import { z } from "zod";

const problemBody = z.object({ type: z.string().nullish(), detail: z.string() });
/** A value that is not valid: which one, and why. */
const invalidBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});

export interface FieldProblem {
  /** The position in the body, with dots: `model.temperature`. */
  readonly field: string;
  readonly message: string;
}

export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** The error as it came. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const problem = problemBody.safeParse(body).data;
    const fields = (invalidBody.safeParse(body).data?.detail ?? []).map(({ loc, msg }) => ({
      field: loc.slice(1).join("."),
      message: msg,
    }));
    const first = fields[0];
    super(
      problem?.detail ??
        (first === undefined ? `The service answered with status ${status}.` : `${first.field}: ${first.message}`),
    );
    this.status = status;
    this.code = problem?.type ?? "unknown";
    this.fields = fields;
    this.body = body;
  }
}

/** A sentence that says what to do. `fetch` throws a `TypeError` if nobody answers. */
export function describeProblem(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  if (isUnreachable(error)) return "The service does not answer. Is it running?";
  return error instanceof Error ? error.message : "Something went wrong.";
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");
}
