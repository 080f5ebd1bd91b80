/**
 * Keeps an agent from saying what its guardrails forbid. One guard watches one reply, clause by clause, as the clauses
 * come out of the splitter and before they go to the synthesiser. A match that begins in one clause and ends in the next
 * is caught when it ends; what was spoken before that cannot be taken back, so splitters must not cut numbers in two.
 */
import type { Guardrail } from "../catalog/guardrail.ts";

/** A clause with everything replaced in it; replacements of replacements would otherwise grow without end. */
const maxClauseCharacters = 4000;
/** As much of the clauses before as a forbidden phrase may reach back. */
const reachBack = 80;

export interface GuardedClause {
  /** What may be spoken; empty for nothing. */
  readonly text: string;
  /** Names of the guardrails that were hit, for the log and the metrics. */
  readonly hits: readonly string[];
  /** The reply ends here: what the model still writes is not to be spoken. */
  readonly stopped: boolean;
}

export interface SpeechGuard {
  check(clause: string): GuardedClause;
}

export function createSpeechGuard(guardrails: readonly Guardrail[]): SpeechGuard {
  let before = "";
  let stopped = false;
  return {
    check(clause) {
      if (stopped) return { text: "", hits: [], stopped };
      const hits: string[] = [];
      let text = clause;
      for (const { name, pattern, action } of guardrails) {
        const context = before === "" ? "" : `${before} `;
        const matches = [...pattern[Symbol.matchAll](`${context}${text}`)]
          .map((match) => ({ start: match.index ?? 0, end: (match.index ?? 0) + match[0].length }))
          .filter(({ start, end }) => end > start && end > context.length);
        if (matches.length === 0) continue;
        hits.push(name);
        if (action.type === "stop") {
          stopped = true;
          return { text: action.say, hits, stopped };
        }
        for (const { start, end } of matches.toReversed()) {
          text = `${text.slice(0, Math.max(0, start - context.length))}${action.with}${text.slice(end - context.length)}`;
          if (text.length > maxClauseCharacters) text = text.slice(0, maxClauseCharacters);
        }
      }
      before = `${before} ${clause}`.slice(-reachBack).trimStart();
      return { text: text.replaceAll(/\s+/g, " ").trim(), hits, stopped };
    },
  };
}
