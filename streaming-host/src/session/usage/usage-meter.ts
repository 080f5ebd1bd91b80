/** Collects what one conversation uses on this host until it is stored. Prices are those at the time of use. */
import { costIn, estimatedCount, addUsage, unpricedCount, usageKey } from "@voice/shared/costs/usage";
import type { BilledUse, Quantities, Usage } from "@voice/shared/costs/usage";
import type { Prices } from "@voice/shared/costs/prices";

export interface Use extends Omit<BilledUse, "agent"> {
  /** The active agent if absent. */
  readonly agent?: string | undefined;
  readonly quantities: Quantities;
  /** The service did not report a count. */
  readonly isEstimated?: boolean;
}

export class UsageMeter {
  readonly #prices: Prices;
  /** The active agent, to which usage of the conversation as a whole is assigned. */
  readonly #agent: () => string;
  readonly #continuous: (() => void)[] = [];
  #unsaved: Usage = {};
  #ofTurn: Usage = {};

  constructor(prices: Prices, agent: () => string) {
    this.#prices = prices;
    this.#agent = agent;
  }

  /** `count` is called before usage is taken, for what is used continuously. */
  addContinuous(count: () => void): void {
    this.#continuous.push(count);
  }

  add({ part, model, agent = this.#agent(), quantities, isEstimated = false }: Use): void {
    const cost = this.#prices.priceOf(part, model, quantities);
    const amounts = {
      ...quantities,
      ...(cost === undefined ? { [unpricedCount]: 1 } : { [costIn(cost.currency)]: cost.amount }),
      ...(isEstimated && { [estimatedCount]: 1 }),
    };
    const used = { [usageKey({ part, model, agent })]: amounts };
    this.#unsaved = addUsage(this.#unsaved, used);
    this.#ofTurn = addUsage(this.#ofTurn, used);
  }

  /** What was used since the previous call; undefined for nothing. */
  take(): Usage | undefined {
    for (const count of this.#continuous) count();
    const taken = this.#unsaved;
    this.#unsaved = {};
    return orNothing(taken);
  }

  /** What was used since the last turn ended. */
  takeTurn(): Usage | undefined {
    const taken = this.#ofTurn;
    this.#ofTurn = {};
    return orNothing(taken);
  }
}

function orNothing(usage: Usage): Usage | undefined {
  return Object.keys(usage).length === 0 ? undefined : usage;
}
