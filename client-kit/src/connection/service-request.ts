/** The few requests that a client makes over HTTP. */
import { ServiceProblem } from "./service-problem.ts";
import type { RequestTicket, Ticket } from "./socket-address.ts";

/** Resolves to the JSON of the answer. Rejects with a `ServiceProblem`, or with the browser's error where nobody answers. */
export type SendRequest = (path: string, body?: unknown) => Promise<unknown>;

/** Longer than a service takes that answers at all. */
const timeoutMs = 10_000;

export function createSendRequest(
  /** An address of the service's origin. */
  service: string,
  /** The access token of the user who is signed in. It is sent in a header, never in an address. */
  token: (() => string | undefined | Promise<string | undefined>) | undefined,
  fetch: typeof globalThis.fetch,
): SendRequest {
  return async (path, body) => {
    const bearer = await token?.();
    const response = await fetch(new URL(`/api/v1${path}`, service), {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await jsonOf(response);
    if (response.ok) return answer;
    throw new ServiceProblem(response.status, answer, response.headers.get("retry-after"));
  };
}

export function createTicketRequest(send: SendRequest): RequestTicket {
  return async (request) => {
    const answer = await send("/realtime/token", request);
    if (!isTicket(answer)) throw new ServiceProblem(502, undefined, null, "The service gave no ticket.");
    return answer;
  };
}

/** Rejects where the service answers only to somebody who has signed in. */
export async function requireNoSignIn(send: SendRequest): Promise<void> {
  const answer = await send("/sign-in");
  const isRequired = typeof answer === "object" && answer !== null && Reflect.get(answer, "required") === true;
  if (isRequired) throw new ServiceProblem(401, {}, null, "Sign in first: this service answers only with a token.");
}

function isTicket(value: unknown): value is Ticket {
  if (typeof value !== "object" || value === null) return false;
  return ["websocket_url", "ticket"].every((name) => typeof Reflect.get(value, name) === "string");
}

/** A proxy between the client and the service may have answered with a page of its own. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
