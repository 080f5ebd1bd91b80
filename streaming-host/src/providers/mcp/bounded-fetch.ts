/**
 * Limits the size and time of a tool server's response, because its library reads responses whole: an endless one would fill the memory of
 * the host and end every conversation on it.
 */
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { VoiceError } from "@voice/shared/platform/errors";

/** A list of hundreds of tools has half a megabyte; models receive 8,000 characters of a result. */
export const longestAnswerBytes = 4 * 1024 * 1024;

/** Much longer than any call waits; a call that gives up does not end the request. */
const longestAnswerMs = 60_000;

const blankLine = /\r?\n\r?\n/;

export function boundedFetch(
  fetch: FetchLike,
  timeOut: () => AbortSignal = () => AbortSignal.timeout(longestAnswerMs),
): FetchLike {
  return async (url, init) => {
    // Messages that a server sends by itself arrive by GET, on a stream that stays open.
    const staysOpen = init?.method === "GET";
    const signal = staysOpen ? init.signal : AbortSignal.any([init?.signal ?? [], timeOut()].flat());
    const response = await fetch(url, { ...init, ...(signal && { signal }) });
    const isRedirect = response.status >= 300 && response.status < 400;
    if (response.body === null || isRedirect) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    return new Response(response.body.pipeThrough(boundBytes(isStream)), response);
  };
}

/** A stream of events may go on for ever, but each event has an end. */
function boundBytes(isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > longestAnswerBytes)
        controller.error(new VoiceError("upstream_unavailable", "the tool server's answer is too long"));
      else controller.enqueue(chunk);
      if (isStream && blankLine.test(Buffer.from(chunk).toString("latin1"))) bytes = 0;
    },
  });
}
