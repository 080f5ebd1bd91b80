/**
 * Learns, for each deployment, whether its responses start inside a thought. Some chat templates put the opening mark of the thought into
 * the prompt, so that the response contains only the closing one (EAR-4). Until this is known of a model, its response is held back to its
 * end: once in each process.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";

/**
 * How long the text of an unknown model is held back, from its first word on. Within this time a model that does not think has written a
 * spoken response, and one that does has often finished its thought.
 */
export const longestWaitMs = 4_000;
/** Consecutive responses without a thought after which the model, or its server, is assumed to have been replaced. */
const answersToForget = 2;

type Known = { readonly kind: "speech" } | { readonly kind: "thought"; readonly answersWithout: number };

export interface AnswerBeginning {
  readonly kind: "speech" | "unknown" | "thought";
  /** Called for each piece of the response. */
  hasWaitedLongEnough(): boolean;
  /** Undefined: the response did not show whether it began in a thought. */
  learn(beganInThought: boolean | undefined): void;
}

export class AnswerBeginnings {
  readonly #clock: Pick<Clock, "now">;
  readonly #known = new Map<string, Known>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  of(deploymentId: string, model: Pick<LanguageModel, "mayBeginInThought">): AnswerBeginning {
    const known = this.#known.get(deploymentId);
    const unknown = model.mayBeginInThought?.(deploymentId) === true ? "unknown" : "speech";
    const kind = known?.kind ?? unknown;
    let firstAt: number | undefined;
    return {
      kind,
      hasWaitedLongEnough: () => {
        if (kind === "thought") return false;
        firstAt ??= this.#clock.now();
        return this.#clock.now() - firstAt >= longestWaitMs;
      },
      learn: (beganInThought) => this.#learn(deploymentId, beganInThought),
    };
  }

  #learn(deploymentId: string, beganInThought: boolean | undefined): void {
    if (beganInThought === undefined) return;
    const known = this.#known.get(deploymentId);
    if (beganInThought) this.#known.set(deploymentId, { kind: "thought", answersWithout: 0 });
    else if (known?.kind === "thought" && known.answersWithout + 1 < answersToForget)
      this.#known.set(deploymentId, { kind: "thought", answersWithout: known.answersWithout + 1 });
    else this.#known.set(deploymentId, { kind: "speech" });
  }
}
