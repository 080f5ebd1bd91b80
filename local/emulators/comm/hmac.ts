/**
 * Checks request signatures made with the service's access keys, over the text that its SDK signs (`@azure/communication-common` 2.5,
 * communicationAccessKeyCredentialPolicy.js).
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface SignedRequest {
  readonly method: string;
  readonly pathAndQuery: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * How much the clocks may differ is not documented, so this is the double's own choice. App Configuration, whose requests are signed
 * alike, allows 15 minutes.
 */
const toleranceMs = 300_000;

export function isSignedBy(accessKey: string, request: SignedRequest, nowMs: number): boolean {
  const { method, pathAndQuery, headers, body } = request;
  const date = text(headers["x-ms-date"]);
  const contentHash = text(headers["x-ms-content-sha256"]);
  if (contentHash !== createHash("sha256").update(body).digest("base64")) return false;
  if (!(Math.abs(nowMs - Date.parse(date)) <= toleranceMs)) return false;
  const signed = `${method}\n${pathAndQuery}\n${date};${text(headers.host)};${contentHash}`;
  const signature = createHmac("sha256", Buffer.from(accessKey, "base64")).update(signed).digest("base64");
  return isSame(
    text(headers.authorization),
    `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
  );
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function text(value: string | string[] | undefined): string {
  return typeof value === "string" ? value : "";
}
