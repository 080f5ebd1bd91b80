/**
 * Keeps an agent from saying what its guardrails forbid. One guard watches one reply, clause by clause, as the clauses
 * come out of the splitter and before they go to the synthesiser. A match that begins in one clause and ends in the next
 * is caught when it ends; what was spoken before that cannot be taken back, so splitters must not cut numbers in two.
 */
import type { Guardrail } from "../catalog/guardrail.ts";

/** The longest clause after replacements, because a replacement could otherwise match again and grow without end. */
const maxClauseCharacters = 4000;
/** How much of the preceding clauses is kept, and so the longest phrase that is found across clauses. */
const reachBack = 80;

export interface GuardedClause {
  /** The text that may be spoken; may be empty. */
  readonly text: string;
  /** Names of the guardrails that were hit, for the log and the metrics. */
  readonly hits: readonly string[];
  /** The reply ends here: further text from the model must not be spoken. */
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
        const inContext = `${context}${text}`;
        // Hardly any clause is hit, and `matchAll` compiles a copy of the expression each time.
        if (pattern instanceof RegExp && inContext.search(pattern) < 0) continue;
        const matches = [...pattern[Symbol.matchAll](inContext)]
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
