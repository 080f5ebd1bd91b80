/** Limits guesses at a caller's identity, across sessions. */
import { createHash } from "node:crypto";
import { toVoiceError } from "../../platform/errors.ts";
import type { CounterStore } from "../../state/records/counter-store.ts";
import { NotDoneError } from "../not-done-error.ts";

export interface IdentityChecks {
  /** Called before a guess is checked; returns its number. Rejects if guesses cannot be counted. */
  countTry(proof: string): Promise<number>;
  /** Called after a correct guess. */
  clearTries(proof: string): Promise<void>;
  /** Whether the tool's result contains the code that was sent, for demonstrations. */
  readonly showsCodes: boolean;
}

/** The life span of a generated customer: four digits are then guessed with a probability of 3 in 10,000. */
const countedMs = 24 * 60 * 60 * 1000;

export function createIdentityChecks(
  counters: CounterStore,
  /** The identity being guessed; all guesses at the same name share one count. */
  customer: () => string,
  showsCodes: boolean,
): IdentityChecks {
  // Hashed, because it may be a phone number, which must not be readable in a list of keys.
  const keyOf = (proof: string): string => `${proof}:${createHash("sha256").update(customer()).digest("base64url")}`;
  return {
    countTry: (proof) => counters.add(keyOf(proof), countedMs).then(({ count }) => count),
    clearTries: (proof) => counters.clear(keyOf(proof)),
    showsCodes,
  };
}

/** A guess that cannot be counted is not made, so nothing was done. */
export async function countedTry(checks: Pick<IdentityChecks, "countTry">, proof: string): Promise<number> {
  try {
    return await checks.countTry(proof);
  } catch (error) {
    const { code, message } = toVoiceError(error);
    throw new NotDoneError(code, message, { cause: error });
  }
}
