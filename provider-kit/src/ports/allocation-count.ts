/** Counts a pool's allocations: a warm one found a client that was ready and idle, a cold one had to wait for one. */
import type { PoolFigures } from "./recogniser.ts";

export class AllocationCount {
  #warm = 0;
  #cold = 0;

  add({ isWarm }: { readonly isWarm: boolean }): void {
    if (isWarm) this.#warm += 1;
    else this.#cold += 1;
  }

  get figures(): Pick<PoolFigures, "allocationsTotal" | "allocationsWarm" | "allocationsCold"> {
    return {
      allocationsTotal: this.#warm + this.#cold,
      allocationsWarm: this.#warm,
      allocationsCold: this.#cold,
    };
  }
}
