/**
 * Parts of a response that are introduced only by words at the beginning of a line: ReAct's "Thought:", "Action:" and "Observation:", for
 * which LangChain and others write prompts; Qwen-Agent's "✿FUNCTION✿:"; a model's own "**Reasoning:** … **Answer:**"; and the "User:" of a
 * turn that a model invents. Pure.
 */

export type LabelKind = "thought" | "tool" | "result" | "answer" | "user";

export interface Label {
  readonly kind: LabelKind;
  readonly word: string;
  /** Includes everything up to the first word that follows on the same line. */
  readonly length: number;
}

const thoughts = [
  "thought",
  "thoughts",
  "thinking",
  "thought process",
  "my thought process",
  "reasoning",
  "reasoning process",
  "chain of thought",
  "思考",
  "思考过程",
];
const tools = [
  "action",
  "tool",
  "tool call",
  "tool calls",
  "tool_call",
  "tool_calls",
  "tool name",
  "function",
  "function call",
  "function name",
];
const results = ["observation", "result", "tool result", "tool response", "function result"];
const answers = [
  "final answer",
  "final response",
  "answer",
  "response",
  "reply",
  "return",
  "assistant",
  "ai",
  "回答",
  "答案",
];
const kindOf = new Map<string, LabelKind>([
  ...thoughts.map((word) => [word, "thought"] as const),
  ...tools.map((word) => [word, "tool"] as const),
  ...results.map((word) => [word, "result"] as const),
  ...answers.map((word) => [word, "answer"] as const),
  ["user", "user"],
  ["human", "user"],
]);
/** Words before a colon, which Markdown may have formatted as bold or as a heading. */
const label = /^[#>*_✿ \t]{0,8}([\p{L}_]+(?: [\p{L}]+){0,2})[*_✿]{0,3} ?[:：](?!\/\/)[*_]{0,3}[ \t]*/u;
/** The same as a heading on a line of its own. */
const heading = /^(?:#{1,6} ?|\*\*|__)\s?([\p{L}]+(?: [\p{L}]+){0,2})(?:\*\*|__)?[ \t]*\n/u;
/** Qwen-Agent's labels, which may lack the colon. */
const flower = /^✿(\p{L}+)✿ ?[:：]?[ \t]*/u;
const beginning = /^(?:[#>*_✿ \t]{0,8})([\p{L}_]*(?: [\p{L}]*){0,2})[*_✿]{0,3}[ \t]?$/u;
const words = [...kindOf.keys()];

/** Finds the end of a labelled thought: the line of the next label that does not introduce a thought. */
export const nextLabel = new RegExp(
  String.raw`\n(?=[#>*_✿ \t]{0,8}(?:${[...tools, ...answers].join("|")})[*_✿]{0,3} ?(?:[:：]|\n|(?<=[*_])$))`,
  "iu",
);

/** The label at the beginning of the line. "unfinished": it depends on what follows. */
export function labelAt(text: string, isWhole: boolean): Label | "unfinished" | undefined {
  const found = flower.exec(text) ?? label.exec(text) ?? heading.exec(text);
  const word = found?.[1]?.toLowerCase() ?? "";
  const kind = kindOf.get(word);
  // More of the label may follow.
  if (found !== null && kind !== undefined)
    return found[0].length === text.length && !isWhole ? "unfinished" : { kind, word, length: found[0].length };
  const begun = beginning.exec(text)?.[1]?.toLowerCase();
  if (isWhole || begun === undefined || (begun === "" && text.trim() === "")) return undefined;
  return words.some((each) => each.startsWith(begun)) ? "unfinished" : undefined;
}
