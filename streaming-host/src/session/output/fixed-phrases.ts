/** The service's own phrases. Short, and never the same sentence twice in a row. */
import type { ReplyKind } from "../turn/turn-effects.ts";

export type FixedReplyKind = Exclude<
  ReplyKind,
  "answer" | "announcement" | "clarification" | "greeting" | "line" | "message" | "replacement"
>;

const phrases: Readonly<Record<FixedReplyKind, readonly string[]>> = {
  reprompt: ["Are you still there?", "I did not hear anything. How can I help you?"],
  apology: [
    "I am sorry, something went wrong on my side. Could you say that again?",
    "I am sorry, I have a problem here. Please try once more.",
  ],
  regret: [
    "I am sorry, I could not get through. Is there something else I can do for you?",
    "I am sorry, nobody took the call. Can I help you with something else?",
  ],
  "regret-hold": ["I am sorry, I could not put you on hold. What can I do for you?"],
  "regret-keys": ["I am sorry, I could not press the keys. Is there something else I can do?"],
  resumption: ["Thank you for holding. How can I help you now?"],
  patience: [
    "I am still connecting you. One moment, please.",
    "I am still trying to connect you. Thank you for your patience.",
  ],
  farewell: ["Goodbye."],
  closing: ["This call has lasted as long as it may. Thank you for your time. Goodbye."],
};

/** Phrases for failures. They must not depend on what may have failed, so they are synthesised in advance. */
export const fallbackPhrases: readonly string[] = [...phrases.apology, ...phrases.farewell];

export const everyPhrase: readonly string[] = Object.values(phrases).flat();

/** Cycles through one session's phrases, separately for each kind. */
export class FixedPhrases {
  readonly #said = new Map<FixedReplyKind, number>();

  next(kind: FixedReplyKind): string {
    const choices = phrases[kind];
    const count = this.#said.get(kind) ?? 0;
    this.#said.set(kind, count + 1);
    return choices[count % choices.length] ?? "";
  }
}

/** FAIL-6: said before the answer that a previous session left the caller waiting for. */
export const patience = "One moment, please.";
