/** Limits how long an operation may take, on the injected clock. */
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";

/** Rejects with `upstream_timeout` if `work` has not settled in time; its result is then ignored. */
export async function withinTime<T>(clock: Clock, limitMs: number, work: () => Promise<T>): Promise<T> {
  let cancel = (): void => undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimer(limitMs, () =>
      reject(new VoiceError("upstream_timeout", `no answer within ${limitMs} ms`)),
    );
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    cancel();
  }
}
