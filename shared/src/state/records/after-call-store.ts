/** What came of a conversation that is over. It lives as long as its session, and is deleted with it. */
import { z } from "zod";
import type { FieldValue, Noted } from "../../conversation/after-call.ts";
import type { Usage } from "../../costs/usage.ts";
import type { SessionLog } from "../ports/session-log.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import { jsonOf } from "../stored-json.ts";

export interface AfterCallRecord extends Noted {
  /** `failed`: no model could be asked for it, or none answered with what was asked for. */
  readonly status: "written" | "failed";
  /** When the session was created, because its id may be used again by another one. */
  readonly createdAtMs: number;
  readonly writtenAtMs: number;
  /** What the model was charged for. */
  readonly usage?: Usage | undefined;
}

export interface AfterCallStore {
  /** Replaces what was noted of an earlier end. Does nothing if the session is gone. */
  put(sessionId: string, record: AfterCallRecord): Promise<void>;
  get(session: Pick<SessionRecord, "sessionId" | "createdAtMs">): Promise<AfterCallRecord | undefined>;
}

const fieldValue: z.ZodType<FieldValue> = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const noted = z.object({
  summary: z.string().nullable(),
  outcome: z.string().nullable(),
  fields: z.record(z.string(), fieldValue),
});

const stored: z.ZodType<AfterCallRecord, string> = jsonOf(
  noted.extend({
    status: z.enum(["written", "failed"]),
    createdAtMs: z.number(),
    writtenAtMs: z.number(),
    usage: z.record(z.string(), z.record(z.string(), z.number())).optional(),
  }),
);

export function createAfterCallStore(log: SessionLog): AfterCallStore {
  return {
    put: (sessionId, record) => log.append(sessionId, JSON.stringify(record), 1),
    async get({ sessionId, createdAtMs }) {
      const [text] = (await log.read(sessionId)).slice(-1);
      const record = text === undefined ? undefined : stored.parse(text);
      return record?.createdAtMs === createdAtMs ? record : undefined;
    },
  };
}
