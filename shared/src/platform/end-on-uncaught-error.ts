/**
 * Ends the process after an uncaught error, because its state is unknown; other hosts take over its phone calls. Node itself would print
 * the error with everything that a library has attached to it: the arguments of a command, passwords included.
 */
import type { Logger } from "./logger.ts";

/** The time for sending the remaining telemetry. Callers hear nothing meanwhile, so it is short. */
const flushWithinMs = 1000;

/** `flush` sends what has not been sent yet; the process ends with exit code 1 in any case. */
export function endOnUncaughtError(logger: Logger, flush: () => Promise<void>): void {
  let isEnding = false;
  async function end(): Promise<void> {
    isEnding = true;
    setTimeout(() => process.exit(1), flushWithinMs);
    try {
      await flush();
    } finally {
      process.exit(1);
    }
  }
  // Rejections of promises that nobody handles come here, too.
  process.on("uncaughtException", (error, origin) => {
    logger.error({ error, origin }, "the process ends, because nothing has caught this error");
    if (!isEnding) void end();
  });
}
