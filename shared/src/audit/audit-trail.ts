/**
 * Records who read, watched, listened to, changed, placed and deleted what, and who was refused: without any contents. Each record is a
 * line of the log's category `audit`, is stored for operators to look through, and, if `AUDIT_CONTAINER` is set, is appended to a blob that
 * nobody can change.
 */
import type { Clock } from "../platform/clock.ts";
import { dayMs } from "../platform/day.ts";
import { createUuid } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import { createOutageLog, type OutageLog } from "../platform/outage-log.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";
import type { AuditRecord, AuditStore } from "../state/ports/audit-store.ts";

export type AuditedAction = Omit<AuditRecord, "atMs"> & {
  /**
   * The action changes nothing, or was refused. Repetitions are recorded only once in a while, because pages repeat a request every few
   * seconds.
   */
  readonly isRepeatable: boolean;
};

export interface AuditTrail {
  /** Never throws and never waits. */
  record(action: AuditedAction): void;
  /** Resolves once everything recorded so far was written, or could not be. */
  written(): Promise<void>;
}

/** Permanent storage of the records. */
export interface AuditArchive {
  append(lines: string): Promise<void>;
}

export interface AuditTrailOptions {
  readonly store: AuditStore;
  /** Opened with the first record. */
  readonly archive?: (() => Promise<AuditArchive>) | undefined;
  readonly retentionDays: number;
  readonly clock: Pick<Clock, "wallNow">;
  readonly logger: Logger;
}

/** Records nothing, for example in a test. */
export const noAuditTrail: AuditTrail = { record: () => undefined, written: () => Promise.resolve() };

const repeatedAfterMs = 300_000;
/** How many different actions are remembered as recorded. */
const mostRemembered = 2000;
/** How much is recorded of an address or an id that a client has sent. */
const mostCharacters = 128;

/** Whether the status of an answer says that the caller may not do this. */
export function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

export function createAuditTrail({ store, archive, retentionDays, clock, logger }: AuditTrailOptions): AuditTrail {
  const log = logger.child({ category: "audit" });
  const storing = createOutageLog(logger, {
    failing: "audit records are not stored; they are in the log",
    over: "audit records are stored again",
  });
  const archiving = createOutageLog(logger, {
    failing: "audit records are not archived; they are in the log and the store",
    over: "audit records are archived again",
  });
  const recorded = new RecentlyUsed<number>(mostRemembered);
  const pending = new Set<Promise<void>>();

  const isNew = ({ subject, action, what, outcome, from }: AuditedAction, nowMs: number): boolean => {
    const key = JSON.stringify([subject, action, what, outcome, from]);
    const lastMs = recorded.get(key);
    if (lastMs !== undefined && nowMs - lastMs < repeatedAfterMs) return false;
    recorded.set(key, nowMs, 1);
    return true;
  };
  const follow = (write: Promise<void>, outage: OutageLog): void => {
    const followed = write.then(
      () => outage.worked(),
      (error: unknown) => outage.failed(error),
    );
    pending.add(followed);
    void followed.then(() => pending.delete(followed));
  };
  return {
    record(given) {
      const action = bounded(given);
      const nowMs = clock.wallNow();
      if (action.isRepeatable && !isNew(action, nowMs)) return;
      const { isRepeatable: _repeatable, ...rest } = action;
      const entry = { atMs: nowMs, ...rest };
      log.info(entry, "audit");
      follow(store.append(entry, retentionDays * dayMs), storing);
      if (archive === undefined) return;
      // A request that is repeated because its answer was lost may append the line twice: the id tells that it is one record.
      const line = `${JSON.stringify({ id: createUuid(), ...entry, at: new Date(nowMs).toISOString() })}\n`;
      follow(
        archive().then((opened) => opened.append(line)),
        archiving,
      );
    },
    async written() {
      await Promise.all(pending);
    },
  };
}

function bounded(action: AuditedAction): AuditedAction {
  const what = Object.entries(action.what).map(([name, value]) => [name, value.slice(0, mostCharacters)]);
  return { ...action, what: Object.fromEntries(what), from: action.from?.slice(0, mostCharacters) };
}
