/** Keeps a socket open beyond the token with whose ticket it was opened: sends a newer ticket before that expires. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { isRefused } from "./is-refused.ts";
import type { Address } from "./socket-address.ts";

/**
 * The page replaces a token in its last minute, and the service closes the socket a minute after it has expired. A
 * browser may run the timers of a page in the background only once a minute.
 */
const beforeEndMs = 30_000;
/** The wait after a failure, and after the provider has returned the same token again. */
const shortestWaitMs = 10_000;
/** A browser's timer cannot wait longer than 24.8 days. */
const longestWaitMs = 86_400_000;

export class RenewedAccess {
  readonly #clock: Clock;
  /** Asks for another ticket. */
  readonly #ask: () => Address | Promise<Address>;
  readonly #send: (text: string) => void;
  #cancel: CancelTimer | undefined;
  /** Stands for the open socket. A ticket that was requested for an earlier socket is ignored. */
  #current: symbol | undefined;

  constructor(clock: Clock, ask: () => Address | Promise<Address>, send: (text: string) => void) {
    this.#clock = clock;
    this.#ask = ask;
    this.#send = send;
  }

  /** Called when a socket has opened. */
  begin(address: Address): void {
    this.stop();
    this.#current = Symbol("socket");
    this.#renewBefore(address);
  }

  stop(): void {
    this.#cancel?.();
    this.#current = undefined;
  }

  #renewBefore(address: Address): void {
    if (typeof address === "string" || address.endsInMs === undefined) return;
    this.#renewIn(Math.min(Math.max(address.endsInMs - beforeEndMs, shortestWaitMs), longestWaitMs));
  }

  #renewIn(delayMs: number): void {
    const current = this.#current;
    this.#cancel = this.#clock.setTimer(delayMs, () => void this.#renew(current));
  }

  async #renew(current: symbol | undefined): Promise<void> {
    try {
      const address = await this.#ask();
      if (this.#current !== current) return;
      if (typeof address !== "string") this.#send(JSON.stringify({ type: "renew", ticket: address.ticket }));
      this.#renewBefore(address);
    } catch (error) {
      if (this.#current !== current) return;
      // The socket stays open until the service closes it. The next attempt then reports why it is refused.
      if (!isRefused(error)) this.#renewIn(shortestWaitMs);
    }
  }
}
