/** Decides which requests the audit trail records, and what it records of them (AUDIT-1 in docs/security.md). */
import type { HttpRequest } from "@azure/functions";
import type { Caller } from "@voice/shared/auth/caller";
import { isRefusal, type AuditTrail } from "@voice/shared/audit/audit-trail";
import type { Endpoint } from "@voice/shared/contracts/http/endpoint";
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { statusOf } from "./problems.ts";
import type { Reply } from "./route.ts";

type AuditedEndpoint = Pick<Endpoint, "name" | "method" | "path" | "access" | "isAudited">;

interface AuditedRequest {
  readonly request: Pick<HttpRequest, "headers" | "params" | "query">;
  readonly requestId: string;
}

export type RequestAudit = ReturnType<typeof auditRequest>;

/** Before the caller is known, because refusals are recorded as well. */
export function auditRequest(trail: AuditTrail, endpoint: AuditedEndpoint, { request, requestId }: AuditedRequest) {
  let caller: Caller | undefined;
  const record = (status: number, made: Readonly<Record<string, string>>): void => {
    const isRefused = isRefusal(status);
    trail.record({
      subject: caller?.subject,
      action: endpoint.name,
      what: { ...request.params, ...inQuery(request.query), ...made },
      outcome: isRefused ? "refused" : status < 400 ? "done" : "failed",
      status,
      from: request.headers.get("x-forwarded-for") ?? undefined,
      requestId,
      isRepeatable: isRefused || endpoint.method === "GET",
    });
  };
  return {
    by(identified: Caller): void {
      caller = identified;
    },
    answered({ status, body }: Reply): void {
      if (isRecorded(endpoint)) record(status, madeBy(body));
    },
    failed(error: unknown): void {
      const status = statusOf(error);
      if (isRefusal(status) ? endpoint.access !== "open" : isRecorded(endpoint)) record(status, {});
    },
  };
}

/**
 * Requests that change something, or read a single resource, which may be personal data. Other endpoints say so themselves if they are to be
 * recorded. The services that report events are no people, so only their refusals are recorded.
 */
function isRecorded({ access, method, path, isAudited }: AuditedEndpoint): boolean {
  if (access !== "client" && access !== "operator" && access !== "service-operator") return false;
  return isAudited ?? (method !== "GET" || path.includes("{"));
}

/** Ids only: other parameters may contain a number or a name. */
function inQuery(query: URLSearchParams): Record<string, string> {
  const sessionId = query.get("session_id");
  return sessionId === null ? {} : { session_id: sessionId };
}

function madeBy(body: unknown): Record<string, string> {
  if (!isPlainObject(body)) return {};
  const ids = ["session_id", "call_id", "profile_id"].flatMap((name) => {
    const id = body[name];
    return typeof id === "string" ? [[name, id] as const] : [];
  });
  return Object.fromEntries(ids);
}
