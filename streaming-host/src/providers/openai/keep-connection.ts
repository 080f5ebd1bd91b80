/**
 * Makes a connection reusable after a streamed response. The SDK stops reading at the last event and cancels the rest of the body, of which
 * only the end is missing. Cancelling closes the connection, so every turn would begin with a TLS handshake.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** The end of the body comes with the last event or right after it. */
const longestDrainMs = 1_000;

export function keepConnections(send: typeof fetch, clock: Clock): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(readToItsEnd(response.body, clock), { status, statusText, headers });
  };
}

/** An abort of the request still ends the body at once, because its reads then reject. */
function readToItsEnd(body: ReadableStream<Uint8Array>, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      let cancelTimer: CancelTimer = () => undefined;
      const late = new Promise<boolean>((resolve) => {
        cancelTimer = clock.setTimer(longestDrainMs, () => resolve(false));
      });
      const isAtItsEnd = await Promise.race([drain(reader), late]);
      cancelTimer();
      if (!isAtItsEnd) await reader.cancel(reason);
    },
  });
}

/** False if the connection broke or was aborted, so it cannot be reused. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    while (!(await reader.read()).done);
    return true;
  } catch {
    return false;
  }
}
