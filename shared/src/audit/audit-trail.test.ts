import { describe, expect, it } from "vitest";
import { createLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { createAuditTrail, type AuditedAction } from "./audit-trail.ts";

function rig({ isStoreAway = false, isArchiveAway = false } = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 10, 28));
  const lines: unknown[] = [];
  const logger = createLogger({
    level: "info",
    name: "test",
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const { audit } = createMemoryState({ clock });
  const archived: string[] = [];
  const trail = createAuditTrail({
    store: isStoreAway ? { ...audit, append: () => Promise.reject(new Error("away")) } : audit,
    archive: async () => ({
      append: async (line) => {
        if (isArchiveAway) throw new Error("away");
        archived.push(line);
      },
    }),
    retentionDays: 30,
    clock,
    logger,
  });
  return { clock, lines, archived, trail, stored: () => audit.list({ limit: 100 }) };
}

const deletion: AuditedAction = {
  subject: "ann",
  action: "sessionsDelete",
  what: { session_id: "s-1" },
  outcome: "done",
  status: 200,
  isRepeatable: false,
};

describe("the audit trail", () => {
  it("[AUDIT-2a] is a line of the log's category, a stored record and an archived line", async () => {
    const { trail, lines, archived, stored } = rig();
    trail.record(deletion);
    await trail.written();
    const { isRepeatable: _no, ...record } = deletion;
    expect(lines).toMatchObject([{ category: "audit", subject: "ann", action: "sessionsDelete", msg: "audit" }]);
    expect(await stored()).toEqual([{ atMs: Date.UTC(2026, 10, 28), ...record }]);
    expect(archived.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...record, at: "2026-11-28T00:00:00.000Z" },
    ]);
    trail.record(deletion);
    await trail.written();
    const ids = archived.map((line) => /"id":"([\w-]{36})"/.exec(line)?.[1]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });

  it("[AUDIT-3] has what may be repeated once in five minutes, and every change", async () => {
    const { trail, clock, stored } = rig();
    const reading = { ...deletion, action: "sessionsGet", isRepeatable: true };
    for (const action of [reading, reading, deletion, deletion, { ...reading, subject: "ben" }]) trail.record(action);
    await trail.written();
    expect((await stored()).map(({ action, subject }) => `${subject} ${action}`)).toEqual([
      "ben sessionsGet",
      "ann sessionsDelete",
      "ann sessionsDelete",
      "ann sessionsGet",
    ]);
    clock.advance(300_000);
    trail.record(reading);
    await trail.written();
    expect(await stored()).toHaveLength(5);
  });

  it("[AUDIT-2b] goes on in the log while the store and the archive are away, which is said once", async () => {
    const { trail, lines } = rig({ isStoreAway: true, isArchiveAway: true });
    trail.record(deletion);
    await trail.written();
    trail.record(deletion);
    await trail.written();
    expect(lines.map((line) => (line as { msg: string }).msg).toSorted()).toEqual([
      "audit",
      "audit",
      "audit records are not archived; they are in the log and the store",
      "audit records are not stored; they are in the log",
    ]);
  });
});
