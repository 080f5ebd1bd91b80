/**
 * What a realtime model says, as text that may be shown: clause by clause through the agent's guardrails. Its voice is the
 * model's own, so that a forbidden word can be left out of the text only; a reply that has to stop is cut.
 */
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { createSpeechGuard } from "@voice/shared/conversation/speech-guard";
import { packOf } from "@voice/shared/languages/packs";
import { createClauseSplitter } from "../speaking/clause-splitter.ts";

export interface GuardedPiece {
  /** Continues the piece before; empty for nothing. */
  readonly text: string;
  readonly hits: readonly string[];
  /** The agent may not go on; `text` is what it says instead. */
  readonly stopped: boolean;
}

export interface GuardedTranscript {
  push(delta: string): readonly GuardedPiece[];
  /** The item is over: what is left of it. */
  flush(): readonly GuardedPiece[];
}

export function createGuardedTranscript(guardrails: readonly Guardrail[], language?: string): GuardedTranscript {
  const splitter = createClauseSplitter(packOf(language).abbreviations);
  const guard = createSpeechGuard(guardrails);
  let isFirst = true;
  let stopped = false;

  function check(clause: string): readonly GuardedPiece[] {
    if (stopped) return [];
    const { text, ...guarded } = guard.check(clause);
    ({ stopped } = guarded);
    const separator = isFirst || text === "" || stopped ? "" : " ";
    if (text !== "") isFirst = false;
    return [{ text: `${separator}${text}`, ...guarded }];
  }

  return {
    push: (delta) => splitter.push(delta).flatMap(check),
    flush() {
      const rest = splitter.flush();
      return rest === undefined ? [] : check(rest);
    },
  };
}

/** A text as a whole, for what is stored of it. */
export function guardedText(text: string, guardrails: readonly Guardrail[], language?: string): string {
  const guard = createGuardedTranscript(guardrails, language);
  return [...guard.push(text), ...guard.flush()]
    .filter(({ stopped }) => !stopped) // that sentence is a reply of its own
    .map((piece) => piece.text)
    .join("");
}
