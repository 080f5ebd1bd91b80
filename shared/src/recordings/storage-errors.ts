/** Translates a storage's errors into ours. Our own errors are passed through. */
import { VoiceError } from "../platform/errors.ts";

export function translateErrors(isMissing: (error: unknown) => boolean) {
  function toStorageError(error: unknown): Error {
    if (error instanceof VoiceError || error instanceof RangeError) return error;
    if (isMissing(error)) return new VoiceError("not_found", "there is no such recording", { cause: error });
    return new VoiceError("upstream_unavailable", "the storage of the recordings failed", { cause: error });
  }

  async function translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error);
    }
  }

  return {
    translated,
    /** Undefined if the file does not exist. */
    async ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
      try {
        return await work();
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw toStorageError(error);
      }
    },
  };
}
