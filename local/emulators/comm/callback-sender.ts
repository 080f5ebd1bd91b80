/** Sends a call's events to its callback address: signed, in order, and retried until they are accepted. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import type { CallTokens } from "./call-tokens.ts";

export interface CallEventBody {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly specversion: "1.0";
  readonly time: string;
  readonly subject: string;
  readonly datacontenttype: "application/json";
  readonly data: Readonly<Record<string, unknown>>;
}

/** Ways in which tests make deliveries go wrong. The service promises at-least-once delivery in any order. */
export interface DeliveryFaults {
  /** How many times each event is delivered. */
  readonly copies?: number;
  /** Event types held back until the next event was delivered, without the vendor's prefix. */
  readonly late?: readonly string[];
  /** Event types whose first attempt reaches nobody, without the vendor's prefix. */
  readonly missed?: readonly string[];
  /** Event types that are never delivered, without the vendor's prefix, or all of them (AI-customer-service-sample#43). */
  readonly lost?: readonly string[] | "all";
  /** Whether a failed delivery is retried. The service documents neither, so the product has to work with both. */
  readonly retries?: "until taken" | "none";
}

export interface SentCallback {
  readonly type: string;
  readonly id: string;
  readonly status: number;
}

export interface CallbackSenderOptions {
  readonly tokens: CallTokens;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly faults: DeliveryFaults;
  readonly onSent: (sent: SentCallback) => void;
}

/**
 * The service keeps trying for minutes. Tests need less, but more than the longest outage of the functions in any of
 * them.
 */
const retryDelaysMs = [200, 500, 1000, 2000, 4000, 8000, 8000, 8000];
const answerTimeoutMs = 5000;

export class CallbackSender {
  readonly #options: CallbackSenderOptions;
  #queue: Promise<void> = Promise.resolve();
  #held: (() => Promise<void>)[] = [];

  constructor(options: CallbackSenderOptions) {
    this.#options = options;
  }

  /** Events are delivered one at a time: the next ones wait until this one was accepted or given up. */
  send(url: string, callConnectionId: string, type: string, data: Readonly<Record<string, unknown>>): void {
    const source = `calling/callConnections/${callConnectionId}`;
    const event: CallEventBody = {
      id: randomUUID(),
      source,
      type: `Microsoft.Communication.${type}`,
      specversion: "1.0",
      time: new Date(this.#options.clock.wallNow()).toISOString(),
      subject: source,
      datacontenttype: "application/json",
      data,
    };
    const deliver = async (): Promise<void> => {
      for (let copy = 0; copy < (this.#options.faults.copies ?? 1); copy++) await this.#deliver(url, event, type);
    };
    const { lost = [] } = this.#options.faults;
    if (lost === "all" || lost.includes(type)) return;
    if (this.#options.faults.late?.includes(type) === true) {
      this.#held.push(deliver);
      return;
    }
    const held = this.#held;
    this.#held = [];
    this.#queue = this.#inTurn([deliver, ...held]);
  }

  async #inTurn(deliveries: readonly (() => Promise<void>)[]): Promise<void> {
    await this.#queue;
    for (const deliver of deliveries) await deliver();
  }

  async #deliver(url: string, event: CallEventBody, type: string): Promise<void> {
    const { clock, signal, onSent } = this.#options;
    const { missed = [], retries = "until taken" } = this.#options.faults;
    const delaysMs = retries === "none" ? [0] : [0, ...retryDelaysMs];
    for (const [attempt, delayMs] of delaysMs.entries()) {
      await pause(clock, delayMs, signal);
      if (signal.aborted) return;
      const status = attempt === 0 && missed.includes(type) ? 0 : await this.#post(url, event);
      onSent({ type, id: event.id, status });
      if (status >= 200 && status < 300) return;
    }
  }

  /** 0 if nobody answered. */
  async #post(url: string, event: CallEventBody): Promise<number> {
    const token = await this.#options.tokens.issue("5m");
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify([event]),
        signal: AbortSignal.any([this.#options.signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0; // the real service does not report why a delivery failed either; the next attempt follows
    }
  }
}
