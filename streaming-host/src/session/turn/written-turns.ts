/** Turns that are only transcribed: each final is one. */
import type { ItemAuthor } from "@voice/shared/state/ports/session-store";
import type { CallerRules, RecognisedWords } from "./caller-rules.ts";
import { nextTurnId } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export const writtenTurns: CallerRules = {
  onFinal: (step, { text }) => writeTurn(step, { text }),
  onWholeTurn: (step, text) => writeTurn(step, { text }),
  onCallerFinished: (step) => step.emit({ type: "flush-recogniser" }),
};

/** `author`: whose words they are, if they are not the caller's. */
export function writeTurn(
  step: TurnStep,
  { text, turn, endedMs }: Pick<RecognisedWords, "text" | "turn"> & { readonly endedMs?: number },
  author?: ItemAuthor,
): void {
  if (text === "") return;
  const turnId = turn?.turnId ?? nextTurnId(step.state);
  const place = { begunAtMs: turn?.begunAtMs, endedMs };
  step.emit({ type: "keep-words", turnId, text, ...place, ...(author !== undefined && { author }) });
  step.patch({ turnCount: step.state.turnCount + 1 });
}
