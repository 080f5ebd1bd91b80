/** What one model at one endpoint has been found to need, and how that is reported to operators (MODEL-10, MODEL-11). */
import type { Logger } from "@voice/shared/platform/logger";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { LearntRepairs } from "../../repair-ladder.ts";
import { repairsFor, windowRepair } from "./chat-repairs.ts";
import type { ChatRepair, RefusedRequests } from "./chat-repairs.ts";
import type { Refusal } from "./refusal.ts";
import type { WireRequest } from "./wire-request.ts";

export interface LearntAboutModelOptions {
  /** The name in health reports. */
  readonly deployment: string;
  readonly contextTokens: number | undefined;
  readonly onRepaired: ((repair: string) => void) | undefined;
  readonly logger: Logger;
}

export class LearntAboutModel {
  readonly repairs: LearntRepairs<WireRequest, ChatRepair>;
  readonly #options: LearntAboutModelOptions;
  readonly #set: readonly string[];
  #hasAnswered = false;

  constructor(options: LearntAboutModelOptions) {
    const { contextTokens } = options;
    const known = contextTokens === undefined ? [] : [windowRepair({ tokens: contextTokens, perEstimate: 1 })];
    this.#options = options;
    this.#set = known.map(({ description }) => description);
    this.repairs = new LearntRepairs(known);
  }

  get descriptions(): readonly string[] {
    return this.repairs.descriptions.filter((description) => !this.#set.includes(description));
  }

  get contextTokens(): number | undefined {
    return this.#window?.tokens;
  }

  repairsFor(refusal: Refusal, requests: RefusedRequests): readonly (readonly ChatRepair[])[] {
    return repairsFor(refusal, requests, { window: this.#window, hasAnswered: this.#hasAnswered });
  }

  /** `fresh`: repairs that were not known before. `refusal`: the last rejection before the request was accepted. */
  accepted(fresh: readonly ChatRepair[], refusal: Refusal | undefined): void {
    this.#hasAnswered = true;
    const { deployment, onRepaired, logger } = this.#options;
    if (fresh.length === 0) return;
    for (const { key } of fresh) onRepaired?.(key);
    const { status, code, param } = refusal ?? {};
    logger.warn(
      {
        deployment,
        status,
        code: wordOf(code),
        param: wordOf(param),
        changed: fresh.map(({ description }) => description),
      },
      "a language model's server has refused a request and accepted it in another form, which is used from now on",
    );
  }

  get #window() {
    return this.repairs.lasting.find(({ window }) => window !== undefined)?.window;
  }
}
