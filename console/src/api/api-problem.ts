/** Why the service did not do what was asked, and what can be done about it, in sentences. */
import { ServiceProblem } from "@voice/client-kit/connection/service-problem";
import { z } from "zod";

/** A value that is not valid: which one, and why. */
const invalidBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
});

export interface FieldProblem {
  /** The position in the body, with dots: `model.temperature`. */
  readonly field: string;
  readonly message: string;
}

export class ApiProblem extends ServiceProblem {
  override readonly name = "ApiProblem";
  readonly fields: readonly FieldProblem[];

  constructor(status: number, body: unknown, retryAfter: string | null = null) {
    const fields = (invalidBody.safeParse(body).data?.detail ?? []).map(({ loc, msg }) => ({
      field: loc.slice(1).join("."),
      message: msg,
    }));
    const first = fields[0];
    super(status, body, retryAfter, first && `${first.field}: ${first.message}`);
    this.fields = fields;
  }
}

/** The service has answered, but not as this version of the page expects it to. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** Problems name the place of the log to a user who runs the service on their own machine. */
const isOnThisMachine = (): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(globalThis.location?.hostname ?? "");

/** A sentence or two that say what to do; for who runs the service on this machine, also where the cause is found. */
export function describeProblem(error: unknown, isLocal = isOnThisMachine()): string {
  if (error instanceof ApiProblem) return [whatHappened(error), ...whatToDo(error, isLocal)].join(" ");
  if (error instanceof UnreadableAnswer)
    return "The service answered in a way that this page does not understand. Reload the page: it may be older than the service.";
  if (isTimeout(error)) return `The service has not answered for ${timeoutS} s. ${logHint(isLocal)}`;
  if (isUnreachable(error))
    return isLocal
      ? "The service does not answer. Start it with npm start; if it was running, the terminal it ran in says why it stopped."
      : "The service does not answer. Check your network; if that works, whoever runs the service has to look.";
  return error instanceof Error ? error.message : "Something went wrong in this page. Reload it.";
}

/** How long a request may take. */
export const timeoutS = 10;

/** Advice for programs: ": GET /agents lists them." */
const requestToMake = /: (?:GET|POST|PUT|DELETE) \/.*$/;

/** Without the vague advice of an answer that says exactly when to try again. */
function whatHappened({ message, retryAfterS, fields }: ApiProblem): string {
  if (fields[0]?.field === "target_number")
    return "This is no phone number: it begins with + and the country, such as +12025550123.";
  const forPeople = message.replace(requestToMake, ".");
  const sentence = /[.!?]$/.test(forPeople) ? forPeople : `${forPeople}.`;
  return retryAfterS === undefined ? sentence : sentence.replace(/ Try again (?:later|shortly)\.$/, "");
}

function whatToDo({ status, code, retryAfterS }: ApiProblem, isLocal: boolean): string[] {
  if (status === 401) return ["Sign in again to go on."];
  if (status === 403) return ["Ask whoever runs the service for the role that it takes."];
  if (code === "cache_connection_failed" && isLocal)
    return ["Redis does not answer: see that it runs, or unset CACHE_HOST to do without."];
  if (retryAfterS !== undefined) return [`It can be tried again in ${retryAfterS} s.`];
  if (status === 422) return ["Change that, and try again."];
  if (status === 429) return ["Wait a moment, and try again."];
  return status >= 500 ? [logHint(isLocal)] : [];
}

function logHint(isLocal: boolean): string {
  return isLocal
    ? "The terminal in which the service runs says why."
    : "Try again; if it stays so, the service’s log says why.";
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || isTimeout(error);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
