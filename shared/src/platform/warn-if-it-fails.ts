import { toVoiceError } from "./errors.ts";
import type { LogFields, Logger } from "./logger.ts";

/** For work that others can do without: where it fails, the log says so, and the result is undefined. */
export async function warnIfItFails<T>(
  logger: Pick<Logger, "warn">,
  fields: LogFields,
  message: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    logger.warn({ ...fields, error, code: toVoiceError(error).code }, message);
    return undefined;
  }
}
