/**
 * The text of a realtime model's speech as it may be shown: only words for the ear (EAR-1), checked clause by clause by the agent's guardrails. The
 * voice is the model's own, so a forbidden word can only be left out of the text; a reply that has to stop is cut off.
 */
import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { createSpeechGuard } from "@voice/shared/conversation/speech-guard";
import type { GuardedClause } from "@voice/shared/conversation/speech-guard";
import { packOf } from "@voice/shared/languages/packs";
import { EarGate } from "../ear/ear-gate.ts";
import { ClauseSplitter } from "../speaking/clause-splitter.ts";

export interface GuardedTranscript {
  push(delta: string): readonly GuardedClause[];
  /** The item is complete; returns its remaining text. */
  flush(): readonly GuardedClause[];
}

export function createGuardedTranscript(guardrails: readonly Guardrail[], language?: string): GuardedTranscript {
  const splitter = new ClauseSplitter(packOf(language).abbreviations);
  const guard = createSpeechGuard(guardrails);
  // Realtime models call tools in their protocol's own form: what looks like a call in their text is none.
  let gate = new EarGate({ tools: [] });
  let isFirst = true;
  let stopped = false;

  function check(clause: string): readonly GuardedClause[] {
    if (stopped) return [];
    const { text, ...guarded } = guard.check(clause);
    ({ stopped } = guarded);
    const separator = isFirst || text === "" || stopped ? "" : " ";
    if (text !== "") isFirst = false;
    return [{ text: `${separator}${text}`, ...guarded }];
  }

  return {
    push: (delta) => splitter.push(gate.push(delta)).flatMap(check),
    flush() {
      const clauses = splitter.push(gate.end());
      gate = new EarGate({ tools: [] });
      const rest = splitter.flush();
      return [...clauses, ...(rest === undefined ? [] : [rest])].flatMap(check);
    },
  };
}

/** Checks a complete text that is to be stored. */
export function guardedText(text: string, guardrails: readonly Guardrail[], language?: string): string {
  const guard = createGuardedTranscript(guardrails, language);
  return [...guard.push(text), ...guard.flush()]
    .filter(({ stopped }) => !stopped) // that sentence is a reply of its own
    .map((piece) => piece.text)
    .join("");
}
