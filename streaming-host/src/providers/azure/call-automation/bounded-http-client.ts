/**
 * The HTTP client for the vendor's SDK, with a time limit for every request, including the body of its response. The SDK's own options do
 * not suffice: `hold`, `unhold` and `startTranscription` of @azure/communication-call-automation 1.6.0 drop the signal that they are given
 * (dist/esm/callMedia.js), so an abandoned request would hold its connection for ever.
 */
import { createDefaultHttpClient, type HttpClient, type HttpHeaders } from "@azure/core-rest-pipeline";

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
