/** Compare-and-set until it holds: read, decide, write; whoever lost the race decides again on what won. */
import { VoiceError } from "../platform/errors.ts";

/** Writers of one record are a handful; who loses this often has met a fault, not a race. */
const maxAttempts = 8;

export async function updateWithRetry<Record extends { readonly version: number }, Change>(steps: {
  readonly read: () => Promise<Record>;
  /** Undefined: nothing to change. */
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
