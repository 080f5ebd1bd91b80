/** The small changes that are made, one at a time, to the Lua in a TypeScript file. */

export interface LuaChange {
  /** Where in the file's text it is, what stands there, and what is put in its place. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
}

/** Template literals that are scripts, or parts of scripts: those of one line are names of keys. */
const beginning = /(?:defineScript\(|= )`/g;
const isLua = /\bredis\.p?call\(|\blocal function\b/;

const comparisons: Readonly<Record<string, readonly string[]>> = {
  "==": ["~="],
  "~=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
};
const opposites: Readonly<Record<string, string>> = {
  and: "or",
  or: "and",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "0": "1",
  "1": "0",
  true: "false",
  false: "true",
};

/** What is searched for in the Lua, and what takes its place. The scripts have spaces around what stands between two values. */
const rules: readonly (readonly [RegExp, (found: string) => readonly string[]])[] = [
  [/[=~<>]=|[<>]/g, (found) => comparisons[found] ?? []],
  [/\b(?:and|or|true|false)\b/g, (found) => [opposites[found] ?? ""]],
  [/(?<=[\w)\]] )[+\-*/%](?= )/g, (found) => [opposites[found] ?? ""]],
  // A number that is no index: the script would fail at once without the value of that index.
  [/(?<![\w.[])[01](?![\w.])/g, (found) => [opposites[found] ?? ""]],
  [/\bnot |(?<=[(,={] ?|return )-(?=[\w#])/g, () => [""]],
  [/(?<=\b(?:else)?if )\S.*?(?= then\b)/g, () => ["true", "false"]],
  // An assignment that is a whole statement.
  [/(?<=^ *|\bthen |\belse |\bdo )(?!local\b)[A-Za-z_][\w.[\]#+, ]* = .+?(?= end\b|$)/gm, () => [""]],
];
/** A call that is a whole statement, up to its parenthesis. */
const call = /(?<=^ *|^x+ |\bthen |\belse |\bdo )[a-z][\w.]*\(/gm;
/** What makes a command do something only under a condition, or answer with what was there. */
const option = /, '(?:NX|XX|LT|GT|GET|KEEPTTL)'(?=[,)])/g;

/** In the order of the file. */
export function luaChanges(source: string): readonly LuaChange[] {
  const lua = luaOf(source);
  // What is in a string is no operator.
  const code = lua.replaceAll(/'[^'\n]*'/g, (text) => `'${"_".repeat(text.length - 2)}'`);
  const changes: LuaChange[] = [];
  const change = (at: number, length: number, afters: readonly string[]): void => {
    const before = source.slice(at, at + length);
    changes.push(...afters.map((after) => ({ at, before, after })));
  };
  for (const [pattern, aftersOf] of rules)
    for (const { index, 0: found } of code.matchAll(pattern)) change(index, found.length, aftersOf(found));
  for (const { index, 0: found } of lua.matchAll(option)) change(index, found.length, [""]);
  for (const { index } of code.matchAll(call))
    // The value of an assignment may stand on a line of its own.
    if (!/=\s*$/.test(code.slice(0, index))) change(index, lengthOfCall(code, index), [""]);
  return changes.toSorted((a, b) => a.at - b.at);
}

function lengthOfCall(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    if (code[at] !== ")") continue;
    depth -= 1;
    if (depth === 0) return at + 1 - from;
  }
  throw new Error(`a call has no end: ${code.slice(from, from + 80)}`);
}

/** The file's text with blanks for all that is no Lua, and an `x` for each character of a value that TypeScript puts in. */
function luaOf(source: string): string {
  const blank = source.replaceAll(/[^\n]/g, " ");
  let lua = "";
  for (const { index, 0: opening } of source.matchAll(beginning)) {
    const from = index + opening.length;
    if (from < lua.length) continue;
    let own = "";
    walkTemplate(source, from, (text) => (own += text));
    if (isLua.test(own)) lua += blank.slice(lua.length, from) + own;
  }
  return lua + blank.slice(lua.length);
}

/** Returns the place of the closing backtick. */
function walkTemplate(source: string, from: number, onText: (text: string) => void): number {
  let at = from;
  while (at < source.length && source[at] !== "`") {
    const end = source.startsWith("${", at) ? walkCode(source, at + 2) : at + 1;
    onText(end === at + 1 ? source.slice(at, end) : "x".repeat(end - at));
    at = end;
  }
  return at;
}

/** Returns the place after the closing brace. */
function walkCode(source: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== "}") {
    if (source[at] === "`") at = walkTemplate(source, at + 1, () => undefined) + 1;
    else at = source[at] === "{" ? walkCode(source, at + 1) : at + 1;
  }
  return at + 1;
}
