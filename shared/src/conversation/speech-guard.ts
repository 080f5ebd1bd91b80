/**
 * Prevents an agent from saying what its guardrails forbid. One guard watches one reply, clause by clause, between the splitter and the
 * synthesiser. A match that begins in one clause and ends in the next is caught when it ends; what was already spoken cannot be taken back,
 * so splitters must not cut numbers in two.
 */
import type { Guardrail } from "../catalog/guardrail.ts";

/** The longest clause after replacements, because a replacement could match again and grow without end. */
const maxClauseCharacters = 4000;
/** How much of the preceding clauses is retained, and so the longest phrase that is found across clauses. */
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

/**
 * `toSpoken` removes formatting. A clause is checked in its written form, because a pattern may be about links, and in its spoken form,
 * because formatting may divide what a pattern forbids.
 */
export function createSpeechGuard(
  guardrails: readonly Guardrail[],
  toSpoken: (written: string) => string = (written) => written,
): SpeechGuard {
  let before = "";
  let stopped = false;

  return {
    check(clause) {
      if (stopped) return { text: "", hits: [], stopped };
      const written = checkText(clause, before, guardrails);
      const spoken = written.stopped ? written.text : toSpoken(written.text);
      const checked = spoken === written.text ? written : checkText(spoken, before, guardrails);
      ({ stopped } = checked);
      before = `${before} ${toSpoken(clause)}`.slice(-reachBack).trimStart();
      return {
        text: checked.text.replaceAll(/\s+/g, " ").trim(),
        hits: [...new Set([...written.hits, ...checked.hits])],
        stopped,
      };
    },
  };
}

/** `before`: the text spoken just before it. */
function checkText(clause: string, before: string, guardrails: readonly Guardrail[]): GuardedClause {
  const hits: string[] = [];
  const context = before === "" ? "" : `${before} `;
  let text = clause;
  for (const { name, pattern, action } of guardrails) {
    const inContext = `${context}${text}`;
    // Few clauses match, and `matchAll` compiles a copy of the expression each time.
    if (pattern instanceof RegExp && inContext.search(pattern) < 0) continue;
    const matches = [...pattern[Symbol.matchAll](inContext)]
      .map((match) => ({ start: match.index ?? 0, end: (match.index ?? 0) + match[0].length }))
      .filter(({ start, end }) => end > start && end > context.length);
    if (matches.length === 0) continue;
    hits.push(name);
    if (action.type === "stop") return { text: action.say, hits, stopped: true };
    for (const { start, end } of matches.toReversed()) {
      text = `${text.slice(0, Math.max(0, start - context.length))}${action.with}${text.slice(end - context.length)}`;
      if (text.length > maxClauseCharacters) text = text.slice(0, maxClauseCharacters);
    }
  }
  return { text, hits, stopped: false };
}
