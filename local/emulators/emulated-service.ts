/**
 * What emulated services have in common: an HTTP server whose address the service itself names, answers in JSON, and for telephone services
 * requests that tests interrupt, because they are never answered or because their answer is lost.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "./listen.ts";
import type { Listening } from "./listen.ts";

export type Outcome = "carried out" | "not carried out";

interface ServedRequest {
  readonly operation: string;
  /** 0 where it was not answered. */
  readonly status: number;
}

interface HeldRequest<Seen> {
  readonly operation: string;
  readonly outcome: Outcome;
  readonly reached: PromiseWithResolvers<Seen>;
}

export abstract class EmulatedService<Seen extends ServedRequest> {
  readonly requests: Seen[] = [];
  readonly #held: HeldRequest<Seen>[] = [];
  #answersToLose = 0;

  abstract handle(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** The next requests are carried out, and their answers are lost. */
  loseNextAnswers(count: number): void {
    this.#answersToLose += count;
  }

  /**
   * The next request for this operation is never answered, so that a test can end the process that waits for the answer. It is carried out
   * or not, as chosen. Resolves when the request has arrived.
   */
  holdNext(operation: string, outcome: Outcome): Promise<Seen> {
    const reached = Promise.withResolvers<Seen>();
    this.#held.push({ operation, outcome, reached });
    return reached.promise;
  }

  /** `arrived`: the request as it is listed if nothing comes of it. */
  protected async answer(
    response: ServerResponse,
    arrived: Seen,
    carryOut: () => Promise<{ readonly seen: Seen; readonly body?: unknown }>,
  ): Promise<void> {
    const index = this.#held.findIndex(({ operation }) => operation === arrived.operation);
    const [held] = index === -1 ? [] : this.#held.splice(index, 1);
    if (held?.outcome === "not carried out") return held.reached.resolve(arrived);
    const { seen, body } = await carryOut();
    this.requests.push(seen);
    if (held !== undefined) return held.reached.resolve(seen);
    if (this.#answersToLose > 0) {
      this.#answersToLose -= 1;
      response.destroy();
      return undefined;
    }
    return sendJson(response, seen.status, body);
  }
}

/** `create` is given the address, which is known once the server listens; requests that arrive earlier wait for the service. */
export async function startService<Service extends Pick<EmulatedService<ServedRequest>, "handle">>(
  create: (listening: Listening) => Service,
  port?: number,
): Promise<Service> {
  const ready = Promise.withResolvers<Service>();
  const listening = await listen((request, response) => {
    ready.promise
      .then((service) => service.handle(request, response))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }, port);
  const service = create(listening);
  ready.resolve(service);
  return service;
}

export function sendJson(response: ServerResponse, status: number, body?: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
