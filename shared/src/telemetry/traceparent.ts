/**
 * W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`. It connects the work of several processes for one
 * call.
 */

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined if it is not a valid parent; it is then ignored. */
export function parseTraceparent(text: string | null | undefined): TraceParent | undefined {
  const [, traceId = "", spanId = "", flags = ""] = form.exec(text ?? "") ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** Fields that connect a log line with its trace. Empty if there is none. */
export function logFieldsOf(traceparent: string | undefined): { readonly traceId?: string; readonly spanId?: string } {
  const parent = parseTraceparent(traceparent);
  return parent === undefined ? {} : { traceId: parent.traceId, spanId: parent.spanId };
}
