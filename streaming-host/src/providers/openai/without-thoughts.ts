/**
 * Leaves out what a model thinks before it answers, where its server puts that into the answer between `<think>` and
 * `</think>`, as vLLM without a reasoning parser and LM Studio do: callers would hear it. Only at the beginning, where
 * these models think. One instance reads one answer.
 */
const opening = "<think>";
const closing = "</think>";

export class WithoutThoughts {
  #stage: "before" | "thinking" | "after" | "answer" = "before";
  #held = "";

  /** What of this piece is the answer. */
  accept(piece: string): string {
    if (this.#stage === "answer") return piece;
    this.#held += piece;
    const thoughts = this.#stage === "before" ? this.#begin() : this.#stage;
    if (thoughts === "answer") return this.#release();
    if (thoughts === "before" || (thoughts === "thinking" && !this.#endThoughts())) return "";
    // The empty lines between the thoughts and the answer.
    this.#held = this.#held.trimStart();
    return this.#held === "" ? "" : this.#release();
  }

  /** What was held because it might have become an opening mark. */
  end(): string {
    return this.#stage === "before" ? this.#release() : "";
  }

  #begin(): "before" | "thinking" | "answer" {
    const start = this.#held.trimStart();
    if (!start.startsWith(opening)) return opening.startsWith(start) ? "before" : "answer";
    this.#held = start.slice(opening.length);
    this.#stage = "thinking";
    return "thinking";
  }

  #endThoughts(): boolean {
    const end = this.#held.indexOf(closing);
    // Enough of it is kept to recognise a mark that comes in pieces.
    this.#held = end === -1 ? this.#held.slice(-closing.length) : this.#held.slice(end + closing.length);
    if (end !== -1) this.#stage = "after";
    return end !== -1;
  }

  #release(): string {
    const held = this.#held;
    this.#held = "";
    this.#stage = "answer";
    return held;
  }
}
