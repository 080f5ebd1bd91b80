/** What bounds the guesses at who somebody is, beyond the session in which they are made. */
import { createHash } from "node:crypto";
import type { CounterStore } from "../../state/ports/counter-store.ts";

export type IdentityProof = "identity" | "code";

export interface IdentityChecks {
  /** To be called before a guess is judged; gives its number. Rejects while tries cannot be counted. */
  countTry(proof: IdentityProof): Promise<number>;
  /** The guess was right. */
  clearTries(proof: IdentityProof): Promise<void>;
  /** A code that was sent stands in the tool's result, for demonstrations. */
  readonly showsCodes: boolean;
}

export interface IdentityChecksOptions {
  readonly counters: CounterStore;
  /** Whose identity is guessed at; all guesses with one name share one count. */
  readonly customer: () => string;
  readonly showsCodes: boolean;
}

/** As long as a generated customer lives: four digits are then guessed with 3 in 10,000. */
const countedMs = 24 * 60 * 60 * 1000;

export function createIdentityChecks({ counters, customer, showsCodes }: IdentityChecksOptions): IdentityChecks {
  // It may be a phone number, which nobody should read in a list of keys.
  const keyOf = (proof: IdentityProof): string =>
    `${proof}:${createHash("sha256").update(customer()).digest("base64url")}`;
  return {
    countTry: (proof) => counters.add(keyOf(proof), countedMs).then(({ count }) => count),
    clearTries: (proof) => counters.clear(keyOf(proof)),
    showsCodes,
  };
}
