/**
 * Repeats read, decide and write until the compare-and-set succeeds; after a lost race it decides again on the new
 * value.
 */
import { VoiceError } from "../platform/errors.ts";

/** A record has only a few writers, so losing this often is a fault and not a race. */
const maxAttempts = 8;

export async function updateWithRetry<Record extends { readonly version: number }, Change>(steps: {
  readonly read: () => Promise<Record>;
  /** Undefined if nothing has to change. */
  readonly decide: (record: Record) => Change | undefined | Promise<Change | undefined>;
  readonly write: (record: Record, change: Change) => Promise<Record>;
}): Promise<Record> {
  for (let attempt = 1; ; attempt += 1) {
    const record = await steps.read();
    const change = await steps.decide(record);
    if (change === undefined) return record;
    try {
      return await steps.write(record, change);
    } catch (error) {
      const isLostRace = error instanceof VoiceError && error.code === "conflict";
      if (!isLostRace || attempt === maxAttempts) throw error;
    }
  }
}
