/** The newest records of the audit trail (`audit/audit-trail.ts`), for operators to look through. */
import { z } from "zod";
import type { Stored } from "../stored-json.ts";

export const auditRecord = z.object({
  atMs: z.number(),
  /** The subject of the token; absent if the caller was not authenticated. */
  subject: z.string().optional(),
  /** The operation's name in the API, such as `getTranscript`, or `watch` and `listen` for a socket. */
  action: z.string(),
  /** What it was done to: the parameters of the path, such as `session_id`. */
  what: z.record(z.string(), z.string()),
  outcome: z.enum(["done", "refused", "failed"]),
  /** The HTTP status of the answer. */
  status: z.number(),
  /** The client's address as the proxies in front report it; absent where none does. */
  from: z.string().optional(),
  requestId: z.string().optional(),
});
export type AuditRecord = Stored<typeof auditRecord>;

export interface AuditQuery {
  readonly subject?: string | undefined;
  /** A value of `what`, such as a session's id. */
  readonly about?: string | undefined;
  /** Only what was done before that. */
  readonly beforeMs?: number | undefined;
  readonly limit: number;
}

/** The most records that are stored, whatever their life span, because clients cause them. */
export const mostAuditRecords = 50_000;

export interface AuditStore {
  /** `lifeSpanMs`: how long records are kept. */
  append(record: AuditRecord, lifeSpanMs: number): Promise<void>;
  /** The newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>;
}

export function fitsAuditQuery(record: AuditRecord, { subject, about, beforeMs }: AuditQuery): boolean {
  return (
    (subject === undefined || record.subject === subject) &&
    (about === undefined || Object.values(record.what).includes(about)) &&
    (beforeMs === undefined || record.atMs < beforeMs)
  );
}
