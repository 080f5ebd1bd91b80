/**
 * Which hosts have died, as far as this host can tell from the registry. It counts looks at the registry instead of time,
 * so that neither a pause of this process nor an outage of the store makes a living host look dead. Pure.
 */

/** A host that is missing in so many successive looks has died. */
export const looksUntilLost = 4;

export class HostAttendance {
  readonly #ownId: string;
  readonly #lastLooks = new Map<string, number>();
  #looks = 0;
  #mayHaveNewlyLost = true;

  constructor(ownId: string) {
    this.#ownId = ownId;
  }

  note(hostIds: readonly string[]): void {
    this.#looks += 1;
    for (const hostId of [...hostIds, this.#ownId]) this.#lastLooks.set(hostId, this.#looks);
    for (const [hostId, look] of this.#lastLooks) {
      if (this.#looks - look < looksUntilLost) continue;
      this.#lastLooks.delete(hostId);
      this.#mayHaveNewlyLost = true;
    }
  }

  /** The registry could not be read. Afterwards every host needs a few seconds to report again. */
  startOver(): void {
    this.#lastLooks.clear();
    this.#looks = 0;
    this.#mayHaveNewlyLost = true;
  }

  /**
   * A host has died since the last `settle`. True also when this host has looked often enough for the first time, because
   * others may have died before.
   */
  get hasNewlyLost(): boolean {
    return this.#mayHaveNewlyLost && this.#looks >= looksUntilLost;
  }

  isLost(hostId: string): boolean {
    return this.#looks >= looksUntilLost && !this.#lastLooks.has(hostId);
  }

  /** Everything that the lost hosts left has been dealt with. */
  settle(): void {
    this.#mayHaveNewlyLost = false;
  }
}
