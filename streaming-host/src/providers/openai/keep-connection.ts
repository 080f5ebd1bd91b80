/**
 * Lets a connection be used again after a streamed answer. The SDK stops reading at the last event and cancels what
 * follows; what follows is the end of the body, and cancelling it closes the connection, so that every turn would begin
 * with a TLS handshake.
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

/** An abort of the request still ends the body at once: its reads reject then. */
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

/** False when the connection broke, or was aborted: nothing of it is left to be kept. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  try {
    while (!(await reader.read()).done);
    return true;
  } catch {
    return false;
  }
}
