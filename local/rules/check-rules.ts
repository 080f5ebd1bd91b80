/** Which rules have no test, and which citations no rule. Pure. */

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface RuleMention {
  readonly id: string;
  readonly path: string;
}

export interface RuleCheck {
  readonly ruleCount: number;
  readonly untested: readonly RuleMention[];
  readonly unknown: readonly RuleMention[];
}

/** `- **TURN-3** A short answer …` */
const definition = /^- \*\*([A-Z]+-\d+)\*\*/gm;
/** Inside a test's name; names of dates, standards and the like are not in brackets. */
const citation = /\[([A-Z]+-\d+)\]/g;

export function checkRules(documents: readonly TextFile[], tests: readonly TextFile[]): RuleCheck {
  const rules = mentions(documents, definition);
  const citations = mentions(tests, citation);
  const known = new Set(rules.map(({ id }) => id));
  const cited = new Set(citations.map(({ id }) => id));
  return {
    ruleCount: known.size,
    untested: rules.filter(({ id }) => !cited.has(id)),
    unknown: citations.filter(({ id }) => !known.has(id)),
  };
}

function mentions(files: readonly TextFile[], pattern: RegExp): RuleMention[] {
  return files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, id = ""]) => ({ id, path })));
}
