/** Records a span and a metric for each request. They leave out its URL, because queries hold secrets and numbers. */
import { formatTraceparent, parseTraceparent } from "@voice/shared/telemetry/traceparent";
import type { Dependencies } from "../dependencies.ts";

export interface TracedRequest {
  readonly method: string;
  /** The path's template. */
  readonly operation: string;
  readonly invocationId: string;
  /** The `traceparent` header, not yet validated. */
  readonly parent: string | null;
}

export function traceRequest(
  { telemetry, clock }: Pick<Dependencies, "telemetry" | "clock">,
  { method, operation, invocationId, parent }: TracedRequest,
): { readonly traceparent: string | undefined; end(status: number): void } {
  const beganMs = clock.now();
  const about = { "http.request.method": method, "http.route": operation };
  const span = telemetry.span({
    name: `${method} ${operation}`,
    kind: "server",
    parent: validated(parent),
    attributes: { ...about, "faas.invocation_id": invocationId },
  });
  return {
    traceparent: span.traceparent,
    end(status) {
      const outcome = { "http.response.status_code": status };
      span.add(outcome);
      if (status >= 500) span.fail(String(status));
      span.end();
      telemetry.record("http.server.request.duration", (clock.now() - beganMs) / 1000, { ...about, ...outcome });
    },
  };
}

/** The caller's trace context is stored and passed on even if tracing is off here. */
function validated(text: string | null): string | undefined {
  const parent = parseTraceparent(text);
  return parent && formatTraceparent(parent);
}
