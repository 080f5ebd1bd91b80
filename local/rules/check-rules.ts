/** Which rules have no test or are too long, and which citations have no rule. Pure. */

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface RuleMention {
  readonly id: string;
  readonly path: string;
  /** The number of words of the rule; 0 if the rule is only cited. */
  readonly words: number;
}

export interface UnknownMention extends RuleMention {
  /** The rule is there, in parts, each of which has tests of its own. */
  readonly hasParts: boolean;
}

export interface RuleCheck {
  readonly ruleCount: number;
  readonly untested: readonly RuleMention[];
  readonly unknown: readonly UnknownMention[];
  readonly tooLong: readonly RuleMention[];
}

/** `- **TURN-3** A short answer …`, or a part of a rule, `- **TURN-3a** …`, up to the end of the item. */
const definition = /^- \*\*([A-Z]+-\d+[a-z]?)\*\*(.*(?:\n +\S.*)*)/gm;
/** Inside a test's name; names of dates, standards and the like are not in brackets. Of a rule in parts, a part is cited. */
const citation = /\[([A-Z]+-\d+[a-z]?)\]/g;
/** A longer rule makes more than one claim, and a test that cites it proves one of them. It is split: TURN-3a, TURN-3b. */
const mostWords = 60;

export function checkRules(documents: readonly TextFile[], tests: readonly TextFile[]): RuleCheck {
  const rules = mentions(documents, definition);
  const citations = mentions(tests, citation);
  const known = new Set(rules.map(({ id }) => id));
  const cited = new Set(citations.map(({ id }) => id));
  const inParts = new Set(rules.map(({ id }) => id.replace(/[a-z]$/, "")).filter((id) => !known.has(id)));
  return {
    ruleCount: known.size,
    untested: rules.filter(({ id }) => !cited.has(id)),
    unknown: citations
      .filter(({ id }) => !known.has(id))
      .map((mention) => ({ ...mention, hasParts: inParts.has(mention.id) })),
    tooLong: rules.filter(({ words }) => words > mostWords),
  };
}

function mentions(files: readonly TextFile[], pattern: RegExp): RuleMention[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, id = "", rule = ""]) => ({ id, path, words: rule.match(/\S+/g)?.length ?? 0 })),
  );
}
