/**
 * How long no host has had the audio of a call whose stream is opened again, by what the dead host and the service have left in the
 * store (TAKE-3g).
 */
import { missingStreamPrefix } from "@voice/shared/calls/stream-failures";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { Host } from "../../host/host.ts";
import { silenceLimitMs } from "./media-recovery.ts";
import { leaseMs } from "./stream-watch.ts";

/**
 * In milliseconds; undefined if it is not known. Has to be asked before this host takes the stream. `call`: the record as it was when
 * the stream was opened. Never rejects.
 */
export async function timeWithoutHost(
  call: CallRecord,
  { state, clock, logger }: Pick<Host, "state" | "clock" | "logger">,
): Promise<number | undefined> {
  const failure = call.streamFailures?.find(({ isMended }) => !isMended);
  if (failure !== undefined) {
    // A stream is found to be missing when the lease of the host that had it is over.
    const noticedAfterMs = failure.eventId.startsWith(missingStreamPrefix) ? leaseMs : 0;
    const lastedMs = clock.wallNow() - failure.atMs + noticedAfterMs;
    // A call that is silent for longer is given up: an older failure is of another stream.
    return lastedMs > silenceLimitMs + leaseMs ? undefined : Math.max(0, lastedMs);
  }
  try {
    const lease = await state.callStreams.leaseOf(call.callId);
    return lease && leaseMs - lease.lastsMs;
  } catch (error) {
    const { callId } = call;
    logger.warn(
      { error, callId, code: toVoiceError(error).code },
      "how long a call had no host could not be found out",
    );
    return undefined;
  }
}
