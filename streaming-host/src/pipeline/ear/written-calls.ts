/**
 * Reads tool calls that a model has written into its text, because its server expects another notation than the model was trained with, or
 * none: as JSON, as XML, or as Python. Pure.
 */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import { parseJson } from "@voice/shared/platform/parse-json";
import { closingBracket } from "./brackets.ts";
import { readKeywords, readLiteral } from "./loose-json.ts";
import { patternOf } from "./mark.ts";

export type WrittenCall = Omit<ToolCall, "id">;

type Json = Readonly<Record<string, unknown>>;

const nameKeys = ["name", "tool", "tool_name", "function", "function_name", "recipient_name", "action"];
const argumentKeys = ["arguments", "parameters", "args", "input", "tool_input", "action_input", "kwargs", "params"];

const attribute = String.raw`(?:=|\s+(?:name|key|tool|tool_name)\s*=\s*)["']?([\w.:-]+)["']?`;
/** `<invoke name="…">` and `<function=…>`, with or without a namespace, as in `<｜DSML｜invoke name="…">`. */
const namedElement = new RegExp(
  String.raw`<[|｜]?(?:\w+[:|｜])?(?:invoke|function|tool_call|call|tool)${attribute}[^<>]*>`,
  "g",
);
const parameter = new RegExp(
  String.raw`<[|｜]?(?:\w+[:|｜])?(?:parameter|param|argument|arg)${attribute}[^<>]*>([\s\S]*?)(?=</?[|｜]?(?:\w+[:|｜])?(?:parameter|param|argument|arg|invoke|function|tool_call|call|tool)\b|$)`,
  "g",
);
/**
 * Brackets in one text that turn out not to hold arguments, after which no more are tried: each attempt costs a pass over the remaining
 * text.
 */
const mostAttempts = 20;
const opening = /[[{]/g;
const keyAndValue = /<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([\s\S]*?)(?:<\/arg_value>|$)/g;
const element = /<([A-Za-z_][\w.-]*)>([^<]*)<\/\1>/g;

/** Reads text between two marks, or text without marks. `name`: the tool's name, if it was found outside. */
export function readWrittenCalls(text: string, tools: readonly ModelTool[], name?: string): WrittenCall[] {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  if (offered.size === 0) return [];
  const xml = xmlCalls(text, offered);
  if (xml.length > 0) return xml;
  const json = jsonCalls(text, offered, name);
  if (json.length > 0) return json;
  const python = pythonCalls(text, offered);
  if (python.length > 0) return python;
  if (text.includes("&quot;")) return readWrittenCalls(text.replaceAll("&quot;", '"'), tools, name);
  return bareCalls(text, offered, name);
}

/**
 * The calls that a model meant by a call in the protocol's own form. The name may have marks or a prefix around it, or stand in the
 * arguments together with other calls (`multi_tool_use.parallel`), and the arguments may be an object in another notation than JSON.
 */
export function meantCalls(call: ToolCall, tools: readonly ModelTool[]): readonly ToolCall[] {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const tool = toolOf(call.name, offered);
  if (tool !== undefined)
    return [{ ...call, name: tool.name, argumentsJson: meantArguments(call.argumentsJson) ?? call.argumentsJson }];
  const within = readWrittenCalls(call.argumentsJson, tools);
  if (within.length === 0) return [call];
  return within.map((each, place) => ({ ...each, id: place === 0 ? call.id : `${call.id}_${place}` }));
}

/** Undefined unless the text is exactly one object. */
function meantArguments(written: string): string | undefined {
  const text = written.replaceAll(/^\s*```\w*|```\s*$|<\/?[\w:|｜-]+>/g, "").trim();
  if (/^(?:null|none|undefined)?$/i.test(text)) return "{}";
  const whole = readLiteral(text);
  if (typeof whole === "string") return meantArguments(whole);
  if (isPlainObject(whole)) return parseJson(written) === undefined ? JSON.stringify(whole) : written;
  if (Array.isArray(whole)) return whole.length === 1 && isPlainObject(whole[0]) ? JSON.stringify(whole[0]) : undefined;
  // Some servers begin with an empty object, or send the whole object a second time: `{}{"a":1}`.
  const parts = text.split(/(?<=\})\s*(?=\{)/).map(readLiteral);
  const different = new Set(parts.map((part) => JSON.stringify(part)).filter((part) => part !== "{}"));
  const [only] = different;
  return parts.every(isPlainObject) && different.size === 1 ? only : undefined;
}

/** Finds the offered tool that is meant: servers write "functions.name", "name:0", "default_api.name", "name.call". */
function toolOf(written: string, offered: ReadonlyMap<string, ModelTool>): ModelTool | undefined {
  const bare = written
    .replace(/<?[|｜].*$/s, "")
    .replace(/^[\s"'`*]+|[\s"'`*]+$/g, "")
    .replace(/:\d+$/, "")
    .replace(/\.call$/, "");
  return offered.get(written) ?? offered.get(bare) ?? offered.get(bare.split(/[.:]/).at(-1) ?? "");
}

function xmlCalls(text: string, offered: ReadonlyMap<string, ModelTool>): WrittenCall[] {
  const starts = [...text.matchAll(namedElement)].map(({ 0: tag, 1: name = "", index }) => ({ tag, name, index }));
  for (const name of offered.keys()) {
    const tag = new RegExp(String.raw`<${patternOf(name)}(?=[\s/>])[^<>]*>`, "g");
    for (const { 0: written, index } of text.matchAll(tag)) starts.push({ tag: written, name, index });
  }
  starts.sort((left, right) => left.index - right.index);
  const key = text.indexOf("<arg_key>");
  if (starts.length === 0 && key !== -1) {
    const name = /([\w.:-]+)\s*$/.exec(text.slice(0, key))?.[1] ?? "";
    starts.push({ tag: "", name, index: key });
  }
  return starts.flatMap(({ tag, name, index }, at) => {
    const tool = toolOf(name, offered);
    const body = text.slice(index + tag.length, starts[at + 1]?.index);
    return tool === undefined ? [] : (xmlCall(tool, tag, body) ?? []);
  });
}

function xmlCall(tool: ModelTool, tag: string, body: string): WrittenCall | undefined {
  const pairs = [...body.matchAll(parameter), ...body.matchAll(keyAndValue)];
  if (pairs.length === 0 && body.includes("{")) {
    const args = firstObject(body);
    return args && callOf(tool, args);
  }
  if (pairs.length === 0) pairs.push(...body.matchAll(element));
  if (pairs.length === 0 && tag.startsWith(`<${tool.name}`))
    pairs.push(...tag.matchAll(/\s([\w.-]+)\s*=\s*"([^"]*)"/g));
  const args = pairs.map(([, key = "", value = ""]) => [key.trim(), typed(tool, key.trim(), value)] as const);
  return callOf(tool, Object.fromEntries(args));
}

/** In XML every value is text; the tool's schema says which are not strings. */
function typed(tool: ModelTool, key: string, written: string): unknown {
  const value = written
    .replace(/^\n/, "")
    .replace(/<\/[\s\S]*$/, "")
    .replace(/\n$/, "");
  const { properties } = tool.parameters;
  const schema = isPlainObject(properties) ? properties[key] : undefined;
  if (!isPlainObject(schema) || schema["type"] === "string" || schema["type"] === undefined) return value;
  return parseJson(value.trim()) ?? value;
}

function jsonCalls(text: string, offered: ReadonlyMap<string, ModelTool>, name: string | undefined): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let from = 0;
  let before = 0;
  for (let attempts = 0; attempts < mostAttempts;) {
    opening.lastIndex = from;
    const at = opening.exec(text)?.index;
    if (at === undefined) break;
    const end = closingBracket(text, at);
    const found = end === undefined ? undefined : readLiteral(text.slice(at, end + 1));
    if (end === undefined || found === undefined) {
      attempts++;
      from = at + 1;
      continue;
    }
    const own = callsIn(found, offered);
    if (own.length > 0) calls.push(...own);
    else if (isPlainObject(found)) {
      const tool = nameBefore(text.slice(before, at), offered) ?? outer(name, offered);
      if (tool !== undefined) calls.push(callOf(tool, found));
    }
    from = end + 1;
    before = from;
  }
  return calls;
}

/** Only the name of a tool that needs no arguments. */
function bareCalls(text: string, offered: ReadonlyMap<string, ModelTool>, name: string | undefined): WrittenCall[] {
  if (/[{([]/.test(text)) return [];
  const tool = outer(name, offered) ?? toolOf(text.replaceAll(/<[^<>]*>/g, " ").trim(), offered);
  const required = tool?.parameters["required"];
  return tool === undefined || (Array.isArray(required) && required.length > 0) ? [] : [callOf(tool, {})];
}

function outer(name: string | undefined, offered: ReadonlyMap<string, ModelTool>): ModelTool | undefined {
  return name === undefined ? undefined : toolOf(name, offered);
}

/** The last tool name before the arguments; marks, an id and words such as "json" may stand in between. */
function nameBefore(text: string, offered: ReadonlyMap<string, ModelTool>): ModelTool | undefined {
  const words = text
    .slice(-400)
    .replaceAll(/<[^<>]*>|\[[A-Z_]+\]/g, " ")
    .match(/[\w.:-]+/g);
  return words?.map((word) => toolOf(word, offered)).findLast((tool) => tool !== undefined);
}

function callsIn(value: unknown, offered: ReadonlyMap<string, ModelTool>, depth = 0): WrittenCall[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((each) => callsIn(each, offered, depth + 1));
  if (!isPlainObject(value)) return [];
  if (isPlainObject(value["function"])) return callsIn(value["function"], offered, depth + 1);
  const name = nameKeys.map((key) => value[key]).find((named) => typeof named === "string");
  const tool = typeof name === "string" ? toolOf(name, offered) : undefined;
  const key = argumentKeys.find((written) => value[written] !== undefined);
  const given = key === undefined ? undefined : objectOf(value[key]);
  if (tool !== undefined && given !== undefined) return [callOf(tool, given)];
  if (tool !== undefined && key === undefined && Object.keys(value).length === 1) return [callOf(tool, {})];
  for (const list of ["tool_calls", "tool_uses", "calls", "function_call", "tool_call"])
    if (value[list] !== undefined) return callsIn(value[list], offered, depth + 1);
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0 || !isPlainObject(only[1])) return [];
  const byKey = offered.get(only[0]);
  return byKey === undefined ? [] : [callOf(byKey, only[1])];
}

function pythonCalls(text: string, offered: ReadonlyMap<string, ModelTool>): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let from = 0;
  let attempts = 0;
  for (const { 0: all, 1: name = "", index } of text.matchAll(/([A-Za-z_][\w.-]*)\s*\(/g)) {
    const tool = index < from ? undefined : toolOf(name, offered);
    const open = index + all.length - 1;
    if (tool === undefined) continue;
    if (++attempts > mostAttempts) break;
    const end = closingBracket(text, open, "\"'");
    const args = end === undefined ? undefined : argumentsIn(text.slice(open + 1, end), tool);
    if (end === undefined || args === undefined) continue;
    calls.push(callOf(tool, args));
    from = end;
  }
  return calls;
}

/** Keywords, an object, or a single value if the tool takes one. */
function argumentsIn(text: string, { parameters: { properties } }: ModelTool): Json | undefined {
  const keywords = readKeywords(text);
  if (keywords !== undefined) return keywords;
  const found = readLiteral(text);
  if (isPlainObject(found)) return found;
  const [only, ...others] = isPlainObject(properties) ? Object.keys(properties) : [];
  const isOne = found !== undefined && !Array.isArray(found) && only !== undefined && others.length === 0;
  return isOne ? { [only]: found } : undefined;
}

function firstObject(text: string): Json | undefined {
  const start = text.indexOf("{");
  const end = start === -1 ? undefined : closingBracket(text, start);
  const found = end === undefined ? undefined : readLiteral(text.slice(start, end + 1));
  return isPlainObject(found) ? found : undefined;
}

/** Arguments may be an object, or its JSON text. */
function objectOf(value: unknown): Json | undefined {
  if (value === null || value === "" || value === "null") return {};
  const found = typeof value === "string" ? parseJson(value) : value;
  return isPlainObject(found) ? found : undefined;
}

function callOf({ name }: ModelTool, args: Json): WrittenCall {
  return { name, argumentsJson: JSON.stringify(args) };
}
