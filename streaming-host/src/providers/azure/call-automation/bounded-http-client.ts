/**
 * The HTTP client of the vendor's SDK, with an end to every request, its answer's body included. The SDK's own options do not suffice:
 * `hold`, `unhold` and `startTranscription` of @azure/communication-call-automation 1.6.0 drop the signal that they are given
 * (dist/esm/callMedia.js), so that an abandoned request would hold its connection for ever.
 */
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";

/** For one attempt. What the SDK does between attempts, and before the first one, is not bounded by this. */
export function boundedHttpClient(limitMs: number): HttpClient {
  const client = createDefaultHttpClient();
  return {
    sendRequest(request) {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      AbortSignal.timeout(limitMs).addEventListener("abort", end, { once: true });
      const given = request.abortSignal;
      if (given?.aborted === true) end();
      else given?.addEventListener("abort", end);
      request.abortSignal = ended.signal;
      return client.sendRequest(request);
    },
  };
}
