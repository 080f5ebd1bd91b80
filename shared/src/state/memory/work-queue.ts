import type { Clock } from "../../platform/clock.ts";
import type { Deadlines, Hold, InGroup, WorkContent, WorkQueue } from "../ports/work-queue.ts";
import { ExpiringMap } from "./expiring-map.ts";

interface Piece {
  readonly id: string;
  readonly dueAtMs: number;
  readonly holder?: string | undefined;
  readonly content?: (WorkContent & InGroup) | undefined;
  readonly attempt: number;
  /** When its content was put in. */
  readonly putAtMs?: number | undefined;
  /** Another one each time that it is scheduled. */
  readonly version: number;
}

export function createMemoryWorkQueue(clock: Clock, lifeSpanMs: number): WorkQueue {
  const table = createTable(clock, lifeSpanMs);
  const { pieces, isHeld, schedule } = table;
  const finished = new ExpiringMap<true>(clock);
  return {
    ...deadlinesIn(table, clock),
    async put(id, content, dueInMs) {
      const known = pieces.get(id)?.content;
      const isMore = known === undefined || (known.body === undefined && content.body !== undefined);
      if (!isMore || finished.has(id)) return;
      schedule(id, dueInMs, { content, putAtMs: pieces.get(id)?.putAtMs ?? clock.wallNow() });
    },
    async hasten(id, dueInMs) {
      const known = pieces.get(id);
      if (known === undefined || known.holder !== undefined || known.content?.body !== undefined) return;
      if (clock.wallNow() + dueInMs < known.dueAtMs) schedule(id, dueInMs);
    },
    async begin(id) {
      const known = pieces.get(id);
      if (known?.content === undefined) return undefined;
      const attempt = known.attempt + 1;
      pieces.replace(id, { ...known, attempt, holder: String(attempt) });
      const { facts, body } = known.content;
      return { facts, body, attempt };
    },
    async keepBody({ id, holder }, body) {
      const known = pieces.get(id);
      if (known?.content === undefined || known.holder !== holder) return false;
      pieces.replace(id, { ...known, content: { ...known.content, body } });
      return true;
    },
    async finish(hold) {
      if (!isHeld(hold)) return;
      pieces.delete(hold.id);
      finished.set(hold.id, true, lifeSpanMs);
    },
    async waiting(limit) {
      const nowMs = clock.wallNow();
      return pieces
        .values()
        .flatMap(({ id, putAtMs }) => (putAtMs === undefined ? [] : [{ id, forMs: nowMs - putAtMs }]))
        .toSorted((a, b) => b.forMs - a.forMs)
        .slice(0, limit);
    },
    async withdraw(group, isMeant) {
      for (const { id, content } of pieces.values())
        if (content?.group === group && isMeant(content.facts)) pieces.delete(id);
    },
  };
}

type Table = ReturnType<typeof createTable>;

function createTable(clock: Clock, lifeSpanMs: number) {
  const pieces = new ExpiringMap<Piece>(clock);
  let versions = 0;
  return {
    pieces,
    isHeld: ({ id, holder }: Hold): boolean => pieces.get(id)?.holder === holder,
    /** Nobody has it afterwards, unless a holder is named. */
    schedule(id: string, dueInMs: number, changed: Partial<Piece> = {}): void {
      const { content, putAtMs, attempt = 0 } = pieces.get(id) ?? {};
      const dueAtMs = clock.wallNow() + dueInMs;
      pieces.set(id, { id, content, putAtMs, attempt, ...changed, dueAtMs, version: ++versions }, lifeSpanMs);
    },
  };
}

function deadlinesIn({ pieces, isHeld, schedule }: Table, clock: Clock): Deadlines {
  return {
    async expect(id, dueInMs) {
      if (!pieces.has(id)) schedule(id, dueInMs);
    },
    set: async (id, dueInMs) => schedule(id, dueInMs),
    hold: async ({ id, holder }, forMs) => schedule(id, forMs, { holder }),
    async claim({ id, holder }, forMs) {
      if ((pieces.get(id)?.holder ?? holder) !== holder) return false;
      schedule(id, forMs, { holder });
      return true;
    },
    renew: async (holds, forMs) =>
      holds.filter(({ id, holder }) => {
        const known = pieces.get(id);
        if (known !== undefined && known.holder !== holder) return true;
        schedule(id, forMs, { holder });
        return false;
      }),
    async release(hold, dueInMs) {
      if (isHeld(hold)) schedule(hold.id, dueInMs);
    },
    holderOf: async (id) => pieces.get(id)?.holder,
    async leaseOf(id) {
      const { holder, version, dueAtMs = 0 } = pieces.get(id) ?? {};
      if (holder === undefined) return undefined;
      return { id, holder, version: `${version}`, lastsMs: dueAtMs - clock.wallNow() };
    },
    async revoke({ id, holder, version }, dueInMs) {
      const known = pieces.get(id);
      if (known?.holder !== holder || `${known.version}` !== version) return false;
      schedule(id, dueInMs);
      return true;
    },
    async take({ limit, leaseMs, lane }) {
      const nowMs = clock.wallNow();
      const due = pieces
        .values()
        .filter(({ id, dueAtMs }) => dueAtMs <= nowMs && (lane === undefined || id.endsWith(`:${lane}`)))
        .toSorted((a, b) => a.dueAtMs - b.dueAtMs)
        .slice(0, limit);
      for (const { id } of due) schedule(id, leaseMs);
      return due.map(({ id }) => id);
    },
    forget: async (id) => void pieces.delete(id),
  };
}
