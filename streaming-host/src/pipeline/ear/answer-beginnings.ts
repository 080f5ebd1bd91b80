/**
 * Learns, for each deployment, whether its answers begin inside a thought whose opening mark its chat template has put into the
 * prompt, so that the answer has only the closing one (EAR-4). The first answer of a model of which that is not known
 * waits for its end, once for each process.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";

/**
 * How long words of an unknown model wait, from its first word on. Within it, a model that does not think has written an answer
 * for the ear, and one that does has often finished its thought.
 */
export const longestWaitMs = 4_000;
/** Answers in a row without a thought after which the model, or its server, is taken to have been changed. */
const answersToForget = 2;

type Known = { readonly kind: "speech" } | { readonly kind: "thought"; readonly without: number };

export interface AnswerBeginning {
  readonly kind: "speech" | "unknown" | "thought";
  /** Asked with each piece of the answer. */
  hasWaitedLongEnough(): boolean;
  /** Undefined: the answer did not show it. */
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
    if (beganInThought) this.#known.set(deploymentId, { kind: "thought", without: 0 });
    else if (known?.kind === "thought" && known.without + 1 < answersToForget)
      this.#known.set(deploymentId, { kind: "thought", without: known.without + 1 });
    else this.#known.set(deploymentId, { kind: "speech" });
  }
}
