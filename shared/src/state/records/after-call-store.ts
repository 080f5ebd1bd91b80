/** What came of a conversation that is over. It lives as long as its session, and is deleted with it. */
import { z } from "zod";
import { noted } from "../../conversation/after-call.ts";
import { usage } from "../../costs/usage.ts";
import type { SessionLog } from "../ports/session-log.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import { jsonOf, type Stored } from "../stored-json.ts";

const afterCallRecord = noted.extend({
  /** `failed`: no model was available, or the answer was not usable. */
  status: z.enum(["written", "failed"]),
  /** When the session was created, because its id may be used again by another one. */
  createdAtMs: z.number(),
  writtenAtMs: z.number(),
  /** What the model was charged for. */
  usage: usage.optional(),
});
export type AfterCallRecord = Stored<typeof afterCallRecord>;

export type AfterCallStore = ReturnType<typeof createAfterCallStore>;

const stored = jsonOf(afterCallRecord);

export function createAfterCallStore(log: SessionLog) {
  return {
    /** Replaces the notes of an earlier end. Does nothing if the session no longer exists. */
    put: (sessionId: string, record: AfterCallRecord): Promise<void> =>
      log.append(sessionId, JSON.stringify(record), 1),
    async get({
      sessionId,
      createdAtMs,
    }: Pick<SessionRecord, "sessionId" | "createdAtMs">): Promise<AfterCallRecord | undefined> {
      const [text] = (await log.read(sessionId)).slice(-1);
      const record = text === undefined ? undefined : stored.parse(text);
      return record?.createdAtMs === createdAtMs ? record : undefined;
    },
  };
}
