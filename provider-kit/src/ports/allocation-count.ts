/** Counts a pool's allocations: warm ones found a client that was ready and idle, cold ones had to wait for one. */
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
