import type { Clock } from "@voice/shared/platform/clock";
import { explainedError } from "@voice/shared/platform/errors";
import type { Connection } from "microsoft-cognitiveservices-speech-sdk";
import { toSpeechError } from "./speech-errors.ts";
import { abortReason } from "@voice/shared/platform/unless-aborted";

/** Opens the client's socket before its first use, with a time limit that the SDK lacks. */
export function awaitConnection(
  connection: Connection,
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const cancelTimer = clock.setTimer(timeoutMs, () => {
      settle(() =>
        reject(explainedError("upstream_timeout", `no connection to the speech service in ${timeoutMs} ms`)),
      );
    });
    const onAbort = (): void => {
      settle(() => reject(abortReason(signal)));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    connection.openConnection(
      () => settle(resolve),
      (details) => settle(() => reject(toSpeechError({ details }))),
    );
  });
}
