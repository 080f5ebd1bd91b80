import type { Clock } from "../../platform/clock.ts";
import type { Begun, Hold, InGroup, Lease, TakeOrder, WorkContent, WorkQueue } from "../ports/work-queue.ts";
import { ExpiringMap } from "./expiring-map.ts";

interface Piece {
  readonly id: string;
  readonly dueAtMs: number;
  readonly holder?: string | undefined;
  readonly content?: (WorkContent & InGroup) | undefined;
  readonly attempt: number;
  /** Another one each time that it is scheduled. */
  readonly version: number;
}

export class MemoryWorkQueue implements WorkQueue {
  readonly #clock: Clock;
  readonly #lifeSpanMs: number;
  readonly #pieces: ExpiringMap<Piece>;
  readonly #finished: ExpiringMap<true>;
  #versions = 0;

  constructor(clock: Clock, lifeSpanMs: number) {
    this.#clock = clock;
    this.#lifeSpanMs = lifeSpanMs;
    this.#pieces = new ExpiringMap(clock);
    this.#finished = new ExpiringMap(clock);
  }

  async expect(id: string, dueInMs: number): Promise<void> {
    if (!this.#pieces.has(id)) this.#schedule(id, dueInMs);
  }

  async set(id: string, dueInMs: number): Promise<void> {
    this.#schedule(id, dueInMs);
  }

  async hold({ id, holder }: Hold, forMs: number): Promise<void> {
    this.#schedule(id, forMs, { holder });
  }

  async claim(hold: Hold, forMs: number): Promise<boolean> {
    const { holder = hold.holder } = this.#pieces.get(hold.id) ?? {};
    if (holder !== hold.holder) return false;
    this.#schedule(hold.id, forMs, { holder });
    return true;
  }

  async renew<T extends Hold>(holds: readonly T[], forMs: number): Promise<readonly T[]> {
    return holds.filter(({ id, holder }) => {
      const known = this.#pieces.get(id);
      if (known !== undefined && known.holder !== holder) return true;
      this.#schedule(id, forMs, { holder });
      return false;
    });
  }

  async release(hold: Hold, dueInMs: number): Promise<void> {
    if (this.#isHeld(hold)) this.#schedule(hold.id, dueInMs);
  }

  async holderOf(id: string): Promise<string | undefined> {
    return this.#pieces.get(id)?.holder;
  }

  async leaseOf(id: string): Promise<Lease | undefined> {
    const { holder, version, dueAtMs = 0 } = this.#pieces.get(id) ?? {};
    if (holder === undefined) return undefined;
    return { id, holder, version: `${version}`, lastsMs: dueAtMs - this.#clock.wallNow() };
  }

  async revoke({ id, holder, version }: Lease, dueInMs: number): Promise<boolean> {
    const known = this.#pieces.get(id);
    if (known?.holder !== holder || `${known.version}` !== version) return false;
    this.#schedule(id, dueInMs);
    return true;
  }

  async take({ limit, leaseMs, lane }: TakeOrder): Promise<readonly string[]> {
    const nowMs = this.#clock.wallNow();
    const due = this.#pieces
      .values()
      .filter(({ id, dueAtMs }) => dueAtMs <= nowMs && (lane === undefined || id.endsWith(`:${lane}`)))
      .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
      .slice(0, limit);
    for (const { id } of due) this.#schedule(id, leaseMs);
    return due.map(({ id }) => id);
  }

  async forget(id: string): Promise<void> {
    this.#pieces.delete(id);
  }

  async put(id: string, content: WorkContent & InGroup, dueInMs: number): Promise<void> {
    const known = this.#pieces.get(id)?.content;
    const isMore = known === undefined || (known.body === undefined && content.body !== undefined);
    if (isMore && !this.#finished.has(id)) this.#schedule(id, dueInMs, { content });
  }

  async hasten(id: string, dueInMs: number): Promise<void> {
    const known = this.#pieces.get(id);
    if (known === undefined || known.holder !== undefined || known.content?.body !== undefined) return;
    if (this.#clock.wallNow() + dueInMs < known.dueAtMs) this.#schedule(id, dueInMs);
  }

  async begin(id: string): Promise<Begun | undefined> {
    const known = this.#pieces.get(id);
    if (known?.content === undefined) return undefined;
    const attempt = known.attempt + 1;
    this.#pieces.replace(id, { ...known, attempt, holder: String(attempt) });
    const { facts, body } = known.content;
    return { facts, body, attempt };
  }

  async keepBody(hold: Hold, body: string): Promise<boolean> {
    const known = this.#pieces.get(hold.id);
    if (known?.content === undefined || known.holder !== hold.holder) return false;
    this.#pieces.replace(hold.id, { ...known, content: { ...known.content, body } });
    return true;
  }

  async finish(hold: Hold & InGroup): Promise<void> {
    if (!this.#isHeld(hold)) return;
    this.#pieces.delete(hold.id);
    this.#finished.set(hold.id, true, this.#lifeSpanMs);
  }

  async withdraw(group: string, isMeant: (facts: string | undefined) => boolean): Promise<void> {
    for (const { id, content } of this.#pieces.values())
      if (content?.group === group && isMeant(content.facts)) this.#pieces.delete(id);
  }

  #isHeld({ id, holder }: Hold): boolean {
    return this.#pieces.get(id)?.holder === holder;
  }

  /** Nobody has it afterwards, unless a holder is named. */
  #schedule(id: string, dueInMs: number, changed: Partial<Piece> = {}): void {
    const { content, attempt = 0 } = this.#pieces.get(id) ?? {};
    const dueAtMs = this.#clock.wallNow() + dueInMs;
    this.#pieces.set(id, { id, content, attempt, ...changed, dueAtMs, version: ++this.#versions }, this.#lifeSpanMs);
  }
}
