/** The service has refused a request. */

export class ServiceProblem extends Error {
  override readonly name: string = "ServiceProblem";
  readonly status: number;
  /** From the closed list of the service's error codes; `unknown` where the answer has none. */
  readonly code: string;
  /** The answer as it came; undefined where it was no JSON. */
  readonly body: unknown;
  /** When the request may be repeated, if the service said so. */
  readonly retryAfterS: number | undefined;

  constructor(status: number, body: unknown, retryAfter: string | null = null, message?: string) {
    super(message ?? textOf(body, "detail") ?? `The service answered with status ${status}.`);
    this.status = status;
    this.code = textOf(body, "type") ?? "unknown";
    this.body = body;
    this.retryAfterS = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
  }
}

/** A browser says no more of a request that nobody answered, and of one whose answer the page may not read. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");
}

export function describeServiceProblem(error: unknown): string {
  if (isUnanswered(error)) return "The service does not answer.";
  if (!(error instanceof ServiceProblem) || error.retryAfterS === undefined)
    return error instanceof Error ? error.message : "Something went wrong.";
  return `${error.message} It can be tried again in ${error.retryAfterS} s.`;
}

function textOf(body: unknown, name: string): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : undefined;
}
