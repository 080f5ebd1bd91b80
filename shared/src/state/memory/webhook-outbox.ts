import type { Clock } from "../../platform/clock.ts";
import { isTakenBack, type TakenDelivery, type WebhookDelivery, type WebhookOutbox } from "../ports/webhook-outbox.ts";
import { ExpiringMap } from "./expiring-map.ts";

interface Entry {
  readonly delivery: WebhookDelivery;
  readonly dueAtMs: number;
  readonly attempt: number;
}

export class MemoryWebhookOutbox implements WebhookOutbox {
  readonly #clock: Clock;
  readonly #lifeSpanMs: number;
  readonly #open: ExpiringMap<Entry>;
  readonly #done: ExpiringMap<true>;

  constructor(clock: Clock, lifeSpanMs: number) {
    this.#clock = clock;
    this.#lifeSpanMs = lifeSpanMs;
    this.#open = new ExpiringMap(clock);
    this.#done = new ExpiringMap(clock);
  }

  async put(delivery: WebhookDelivery, dueInMs: number): Promise<void> {
    const key = keyOf(delivery);
    const known = this.#open.get(key);
    const isMore = known === undefined || (known.delivery.body === undefined && delivery.body !== undefined);
    if (isMore && !this.#done.has(key)) this.#set({ delivery, attempt: known?.attempt ?? 0 }, dueInMs);
  }

  async hasten(delivery: Pick<WebhookDelivery, "id" | "receiver">, dueInMs: number): Promise<void> {
    const known = this.#open.get(keyOf(delivery));
    if (known === undefined || known.delivery.body !== undefined) return;
    if (this.#clock.wallNow() + dueInMs < known.dueAtMs) this.#set(known, dueInMs);
  }

  async take(receiver: string, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]> {
    const nowMs = this.#clock.wallNow();
    const due = this.#open
      .values()
      .filter(({ dueAtMs, delivery }) => dueAtMs <= nowMs && delivery.receiver === receiver)
      .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit);
    return due.map(({ delivery, attempt }) => {
      this.#set({ delivery, attempt: attempt + 1 }, leaseMs);
      return { ...delivery, attempt: attempt + 1 };
    });
  }

  async keepBody({ attempt, ...delivery }: TakenDelivery, body: string): Promise<boolean> {
    const known = this.#open.get(keyOf(delivery));
    if (known?.attempt !== attempt) return false;
    this.#set({ delivery: { ...delivery, body }, attempt }, known.dueAtMs - this.#clock.wallNow());
    return true;
  }

  async postpone({ attempt, ...delivery }: TakenDelivery, dueInMs: number): Promise<void> {
    if (this.#isHeld(delivery, attempt)) this.#set({ delivery, attempt }, dueInMs);
  }

  async finish({ attempt, ...delivery }: TakenDelivery): Promise<void> {
    if (!this.#isHeld(delivery, attempt)) return;
    this.#open.delete(keyOf(delivery));
    this.#done.set(keyOf(delivery), true, this.#lifeSpanMs);
  }

  async forgetSession(sessionId: string, mark?: string): Promise<void> {
    for (const { delivery } of this.#open.values())
      if (delivery.sessionId === sessionId && isTakenBack(delivery, mark)) this.#open.delete(keyOf(delivery));
  }

  #isHeld(delivery: WebhookDelivery, attempt: number): boolean {
    return this.#open.get(keyOf(delivery))?.attempt === attempt;
  }

  #set(entry: Omit<Entry, "dueAtMs">, dueInMs: number): void {
    const dueAtMs = this.#clock.wallNow() + dueInMs;
    this.#open.set(keyOf(entry.delivery), { ...entry, dueAtMs }, this.#lifeSpanMs);
  }
}

function keyOf({ id, receiver }: Pick<WebhookDelivery, "id" | "receiver">): string {
  return `${id}:${receiver}`;
}
