import { toVoiceError } from "@voice/shared/platform/errors";

/** Undefined while the state store is unreachable; what is in progress on a call continues without it. */
export async function ifStoreReachable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (toVoiceError(error).code !== "cache_connection_failed") throw error;
    return undefined;
  }
}
