/**
 * The marks that chat templates put around a model's text: `<think>`, `[TOOL_CALLS]`, `<|channel|>`, `◁think▷` and similar. A mark is
 * recognised by its shape, so that an unknown one is not spoken either; the words of its name say what follows it. The names come from the
 * chat templates that the parsers of vLLM (`vllm/reasoning`, `vllm/tool_parsers`) and SGLang (`srt/function_call`) read, from OpenAI's
 * Harmony format, and from HTML.
 */

export type Meaning =
  /** A thought follows. */
  | "thought"
  /** A tool call follows. */
  | "call"
  /** Text of somebody else follows: a tool's result, or a caller whom the model has invented. */
  | "others"
  /** Code or data follows. */
  | "code"
  /** The text up to the end of the header names the speaker and the channel. */
  | "header"
  | "header-end"
  /** The model has finished a message. */
  | "message-end"
  /** Text for the caller follows. */
  | "answer"
  /** Separates lines or cells. */
  | "line"
  | "cell"
  /** Formatting within a line. */
  | "inline"
  | "noise";

export interface Mark {
  readonly meaning: Meaning;
  /** `single`: the mark itself does not show whether another one closes it. `empty`: `<name/>`. */
  readonly edge: "open" | "close" | "single" | "empty";
  /** The words of the mark, without those that say whether it opens or closes. */
  readonly name: string;
  /** The known part of the name that determines the meaning, for the log. The rest may be a model's invention. */
  readonly word?: string;
  readonly length: number;
  /** Text that is spoken in place of the mark: the address of `<https://…>`. */
  readonly text?: string;
}

/** The longest possible mark: the opening tag of a link may contain a long address. */
export const longestMark = 500;

const name = String.raw`[\p{L}_][\p{L}\p{N}_▁:.-]*`;
const value = String.raw`"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+`;
/** `<name>`, `</name>`, `<name attribute="value">`, `<name=value>`, `<name|>`. */
const tag = new RegExp(
  String.raw`^<(/?)(${name})(=[^<>\n]*|(?:\s+[\w:.-]+(?:\s*=\s*(?:${value}))?)*)\s*(/?)(\|?)>`,
  "u",
);
const beginningOfTag = new RegExp(
  String.raw`^<(?:/?(?:${name}(?:=[^<>\n]*|(?:\s+[\w:.-]+(?:\s*=\s*(?:${value}|"[^"<>]*|'[^'<>]*)?)?)*\s*/?\|?)?)?)?$`,
  "u",
);
/** `<|name|>`, `<|name>`, and DeepSeek's `<｜name｜>`. Attributes may follow the name. */
const token = /^<(\/?)[|｜](\/?)([^<>\n]{1,200}?)([|｜]?)>/u;
const beginningOfToken = /^<\/?(?:[|｜][^<>\n]{0,200})?$/u;
/** Kimi K3: `<|open|>think<|sep|>`. */
const openOrClose = /^<\|(open|close)\|>([^<\n]{1,100})<\|sep\|>/;
const beginningOfOpenOrClose = /^<\|(?:open|close)\|>[^<\n]{0,100}(?:<\|?s?e?p?\|?)?$/;
const address = /^<((?:https?:\/\/|mailto:|tel:)[^\s<>]+|[^\s<>@"'=]+@[^\s<>@"'=]+)>/i;
const beginningOfAddress = /^<(?:(?:https?:|mailto:|tel:)[^\s<>]*|[\w.+-]+(?:@[^\s<>]*)?)$/i;
const bracketed = /^\[(\/?)([A-Za-z][A-Za-z_ ]{1,30})\]/;
const beginningOfBracketed = /^\[(?:\/?(?:[A-Za-z][A-Za-z_ ]{0,30})?)?$/;
const triangle = /^◁(\/?)([^◁▷\n]{1,30})▷/;
const beginningOfTriangle = /^◁[^◁▷\n]{0,31}$/;

/** Words in a name that mark an opening. */
const openWords = new Set(["start", "begin", "open", "prefix"]);
const closeWords = new Set(["end", "stop", "close", "suffix"]);

/** Complete names for the beginning and end of messages, which cannot be interpreted word by word. */
const headers =
  /^(?:channel|start|im start|turn|start of turn|start of turn token|start header id|start of role|unused\d+)$/;
const headerEnds = /^(?:message|end header id|end of role|sep|role sep|message sep)$/;
const messageEnds =
  /^(?:end|call|return|im end|eo[tmsd](?: id| token)?|end of (?:turn|text|sentence|msg|message|document)(?: token)?|endoftext)$/;
const speakers = /^(?:user|human|system|developer|observation|ipython|environment|(?:user|system) token)$/;

/** What a name means by the words in it; the first match wins. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  [
    /^(?:tool|function|action|plugin|api|code) (?:\w+ )*(?:response|result|output|observation)s?$|^observations?$/,
    "others",
  ],
  // "/no_think" says that no thought follows.
  [/^no ?(?:think|thought|reason)/, "noise"],
  [
    /\b(?:think|thought|reason|reflect|scratch|ponder|contemplat|deliberat|rational|introspect|monolog|analy[sz]|musing|plan(?:ning)?$|inner|internal|co?t$|commentary$|denk|gedanke|pens[ée]e|pensamiento|pensiero|raisonnement)|思考|思维|推理/,
    "thought",
  ],
  [
    /\b(?:tools?|(?:tool|function)_?calls?|functions?|functools|calls?|invoke|plugins?|python|api|parameters?|param|arguments?|args?)\b|^action$/,
    "call",
  ],
  [/^(?:script|style|svg|math|code block|artifact)\b/, "code"],
  [
    /^(?:br|p|div|li|ul|ol|tr|table|thead|tbody|h[1-6]|hr|section|article|blockquote|pre|dl|dt|dd|details|summary)$/,
    "line",
  ],
  [/^(?:td|th)$/, "cell"],
  [/^(?:answer|response|final|reply|output|speech|say|speak)\b/, "answer"],
  [
    /^(?:a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|emphasis|font|i|ins|kbd|label|mark|prosody|q|ruby|s|samp|say as|small|span|strike|strong|sub|sup|time|tt|u|var|wbr|w|phoneme|lang|voice)$/,
    "inline",
  ],
];

/** Tokeniser tokens in square brackets that carry no meaning for a reader. */
const bracketedNoise = /^(?:INST|ARGS|IMG|BOS|EOS|SEP|PAD|CLS|MASK|[A-Z]+(?:_[A-Z]+)+)$/;

const firstCharacter = /[<[◁]/g;

/** Where the next mark may begin; the end of the text if there is none. */
export function nextMark(text: string, from: number): number {
  firstCharacter.lastIndex = from;
  return firstCharacter.exec(text)?.index ?? text.length;
}

/** The mark at `index`, or undefined if there is none. "unfinished": it depends on what follows, unless the text `isWhole`. */
export function markAt(
  text: string,
  index: number,
  { tools, isWhole }: { readonly tools: ReadonlySet<string>; readonly isWhole: boolean },
): Mark | "unfinished" | undefined {
  const rest = text.slice(index, index + longestMark);
  switch (rest.charAt(0)) {
    case "<":
      return angleMark(rest, tools);
    case "[": {
      const found = bracketed.exec(rest);
      if (found === null) return beginningOfBracketed.test(rest) ? "unfinished" : undefined;
      const [all, slash = "", written = ""] = found;
      const mark = named(written, slash === "" ? undefined : "close", all.length);
      if (bracketedNoise.test(written)) return mark;
      if (written.includes(" ") || !/^(?:[A-Z_]+|[A-Z]?[a-z_]+)$/.test(written)) return undefined;
      const isCapitalised = /^[A-Z][a-z]/.test(written);
      if (mark.meaning !== "thought" && (mark.meaning !== "call" || isCapitalised)) return undefined;
      if (slash !== "" || written === written.toUpperCase()) return mark;
      if (rest.length === all.length && !isWhole) return "unfinished";
      return rest.charAt(all.length) === "(" ? undefined : mark; // the label of a Markdown link
    }
    case "◁": {
      const found = triangle.exec(rest);
      if (found === null) return beginningOfTriangle.test(rest) ? "unfinished" : undefined;
      const [all, slash = "", written = ""] = found;
      return named(written, slash === "" ? undefined : "close", all.length);
    }
    default:
      return undefined;
  }
}

function angleMark(rest: string, tools: ReadonlySet<string>): Mark | "unfinished" | undefined {
  const written = address.exec(rest);
  if (written !== null)
    return { meaning: "inline", edge: "single", name: "", length: written[0].length, text: written[1] ?? "" };
  const openOrClosed = openOrClose.exec(rest);
  if (openOrClosed !== null) {
    const [all, edge, content = ""] = openOrClosed;
    return named(content.split(" ")[0] ?? "", edge === "close" ? "close" : "open", all.length);
  }
  if (rest.length < longestMark && beginningOfOpenOrClose.test(rest)) return "unfinished";
  const special = token.exec(rest);
  if (special !== null) return tokenMark(special);
  const tagged = tag.exec(rest);
  if (tagged !== null) return tagMark(tagged, tools);
  const mayBecomeOne = [beginningOfToken, beginningOfTag, beginningOfAddress].some((beginning) => beginning.test(rest));
  return mayBecomeOne && rest.length < longestMark ? "unfinished" : undefined;
}

function tokenMark([all, slash = "", inner = "", written = "", bar]: RegExpExecArray): Mark {
  const length = all.length;
  const isClosed = slash !== "" || inner !== "";
  const words = wordsOf(written);
  const plain = words.join(" ");
  if (!isClosed) {
    if (headers.test(plain)) return { meaning: "header", edge: "open", name: plain, length };
    if (headerEnds.test(plain)) return { meaning: "header-end", edge: "close", name: plain, length };
    if (messageEnds.test(plain)) return { meaning: "message-end", edge: "close", name: plain, length };
    if (speakers.test(plain)) return { meaning: "others", edge: "open", name: "role", length };
    if (/^(?:assistant|model|chatbot token)$/.test(plain))
      return { meaning: "answer", edge: "open", name: plain, length };
  }
  // Gemma 4 opens with a bar on the left, and closes with one on the right.
  return named(written, isClosed ? "close" : bar === "" ? "open" : undefined, length);
}

function tagMark(tagged: RegExpExecArray, tools: ReadonlySet<string>): Mark | undefined {
  const [all, slash, written = "", attributes = "", selfClosing, bar] = tagged;
  const length = all.length;
  const plain = wordsOf(written).join(" ");
  const edge = slash !== "" || bar !== "" ? "close" : selfClosing === "" ? undefined : "empty";
  if (slash === "" && headers.test(plain) && /[ \d]/.test(plain))
    return { meaning: "header", edge: "open", name: plain, length };
  if (bar !== "" && plain === "channel") return { meaning: "message-end", edge: "close", name: plain, length };
  if (slash === "" && messageEnds.test(plain) && plain.includes(" "))
    return { meaning: "message-end", edge: "close", name: plain, length };
  if (tools.has(written)) return { meaning: "call", edge: edge ?? "open", name: plain, length };
  const found = named(written, edge ?? "open", length);
  // `<details type="reasoning">`
  const isThinking = /=\s*["']?(?:think|thought|reason)/i.test(attributes);
  const mark: Mark = isThinking && found.edge === "open" ? { ...found, meaning: "thought", word: "attribute" } : found;
  // "a <b and c> d" is a comparison, not a tag with two attributes that have no values.
  const isText =
    mark.meaning !== "thought" && mark.meaning !== "call" && /^\s/.test(attributes) && !attributes.includes("=");
  return isText ? undefined : mark;
}

function named(written: string, edge: Mark["edge"] | undefined, length: number): Mark {
  const words = wordsOf(written);
  const opens = words.some((word) => openWords.has(word));
  const closes = words.some((word) => closeWords.has(word));
  const base = words.filter((word) => !openWords.has(word) && !closeWords.has(word)).join(" ");
  const [known, meaning = "noise" as const] = meanings.find(([pattern]) => pattern.test(base)) ?? [];
  const word = known?.exec(base)?.[0];
  return {
    meaning,
    edge: edge ?? (closes ? "close" : opens ? "open" : "single"),
    name: base,
    ...(word !== undefined && { word }),
    length,
  };
}

/** Lower-case words from any spelling: "tool▁calls▁begin", "TOOL_CALLS", "minimax:tool_call", "toolCalls". */
function wordsOf(written: string): string[] {
  return written
    .replace(/(?:=|\s+[\w:.-]+\s*=)[\s\S]*$/, "") // removes attributes
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Whether a channel, or the other words of a header, mean that the model is thinking. */
export function isThought(header: string): boolean {
  return named(header, undefined, 0).meaning === "thought";
}

/** A name as a part of a regular expression. */
export function patternOf(written: string): string {
  return written.replaceAll(/[^\w]/g, String.raw`\$&`);
}
