/**
 * An agent's guardrails have withheld something that it was about to say. The record names the guardrails and contains none of the text, so
 * it may be logged.
 */
import type { Guardrail } from "@voice/shared/catalog/guardrail";

export interface GuardrailHit {
  readonly agent: string;
  readonly names: readonly string[];
  /** `stop`: the reply ends with the guardrail's own sentence, and none of the reply's remaining tool calls run. */
  readonly action: Guardrail["action"]["type"];
}

/** The guardrails that were hit in one reply, grouped by the agent that spoke. */
export class GuardrailHits {
  #hasStopped = false;
  readonly #names = new Map<string, Set<string>>();

  /** Undefined unless a guardrail has ended the reply. */
  get thatStopped(): GuardrailHits | undefined {
    return this.#hasStopped ? this : undefined;
  }

  add({ agent, names, action }: GuardrailHit): void {
    if (action === "stop") this.#hasStopped = true;
    const known = this.#names.get(agent) ?? new Set();
    for (const name of names) known.add(name);
    this.#names.set(agent, known);
  }

  of(agent: string): readonly string[] {
    return [...(this.#names.get(agent) ?? [])];
  }
}
