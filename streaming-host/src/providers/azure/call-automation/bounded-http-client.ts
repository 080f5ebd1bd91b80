/**
 * The HTTP client for the vendor's SDK, with a time limit for every request, including the body of its response. The SDK's own options do
 * not suffice: `hold`, `unhold` and `startTranscription` of @azure/communication-call-automation 1.6.0 drop the signal that they are given
 * (dist/esm/callMedia.js), so an abandoned request would hold its connection for ever.
 */
import { createDefaultHttpClient, type HttpClient, type HttpHeaders } from "@azure/core-rest-pipeline";
import { createHash, createHmac } from "node:crypto";
import { parseConnectionString } from "@azure/communication-common";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";

/** For one attempt. It does not limit what the SDK does between attempts or before the first one. */
export function boundedHttpClient(limitMs: number): HttpClient {
  const client = createDefaultHttpClient();
  return {
    async sendRequest(request) {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      AbortSignal.timeout(limitMs).addEventListener("abort", end, { once: true });
      const given = request.abortSignal;
      if (given?.aborted === true) end();
      else given?.addEventListener("abort", end);
      request.abortSignal = ended.signal;
      const answer = await client.sendRequest(request);
      // The SDK would sleep for longer than the request may take, and the rejection would be reported as a missing response.
      if (asksForLonger(answer.headers, limitMs)) for (const name of pauseHeaders) answer.headers.delete(name);
      return answer;
    },
  };
}

/** The headers by which the SDK's retry policy decides how long to wait (@azure/core-rest-pipeline, throttlingRetryStrategy). */
const pauseHeaders = ["retry-after-ms", "x-ms-retry-after-ms", "retry-after"] as const;

/** `Retry-After` is in seconds or a date (RFC 9110 section 10.2.3), the others are in milliseconds. */
function asksForLonger(headers: HttpHeaders, limitMs: number): boolean {
  return pauseHeaders.some((name) => {
    const value = headers.get(name);
    if (value === undefined) return false;
    const amount = Number(value);
    if (!Number.isFinite(amount)) return Date.parse(value) - Date.now() > limitMs;
    return (name === "retry-after" ? amount * 1000 : amount) >= limitMs;
  });
}

/** The service requires GUIDs as repetition ids, and ours are meaningful text. The same text gives the same GUID on every host. */
export function toRepeatabilityId(requestId: string): string {
  const hex = createHash("sha256").update(requestId).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

/** The order in which their values are signed. */
const signedHeaders = "x-ms-date;host;x-ms-content-sha256";

/**
 * Signs a request again with the time that all processes agree on. The SDK signs with the machine's clock, and the service rejects a
 * deviation of more than five minutes, so a host whose clock is wrong would fail every call. The SDK signs once for all attempts; this
 * signs each attempt.
 */
export function signAt(wallNow: () => number, connectionString: string): PipelinePolicy {
  const { credential } = parseConnectionString(connectionString);
  return {
    name: "signAt",
    sendRequest(request, next) {
      const { headers, method } = request;
      const { host, pathname, search } = new URL(request.url);
      const date = new Date(wallNow()).toUTCString();
      const body = typeof request.body === "string" ? request.body : "";
      const contentHash = createHash("sha256").update(body).digest("base64");
      const signed = `${method.toUpperCase()}\n${pathname}${search}\n${date};${host};${contentHash}`;
      const signature = createHmac("sha256", Buffer.from(credential.key, "base64")).update(signed).digest("base64");
      headers.set("x-ms-date", date);
      headers.set("x-ms-content-sha256", contentHash);
      headers.set("Authorization", `HMAC-SHA256 SignedHeaders=${signedHeaders}&Signature=${signature}`);
      return next(request);
    },
  };
}
