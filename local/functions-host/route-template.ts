/**
 * The route templates of the Functions host (ASP.NET Core's): `{p}`, `{p?}`, `{p=default}`, `{*rest}`, `{a}.{b}`, inline
 * constraints. Literals ignore letter case, one trailing slash is ignored, an empty segment matches nothing but a
 * catch-all, and a failed constraint means "no match", not an error.
 */
import { constraintOf } from "./route-constraints.ts";
import type { Constraint } from "./route-constraints.ts";

export type RouteParams = Readonly<Record<string, string>>;

export interface RouteTemplate {
  readonly text: string;
  /** The parameters of a path; undefined when the template does not match. */
  match(path: RequestPath): RouteParams | undefined;
}

/** A decoded path, split once for all templates. */
export interface RequestPath {
  readonly parts: readonly string[];
  /** For comparison with literals. */
  readonly lowerCaseParts: readonly string[];
  readonly hasTrailingSlash: boolean;
}

/** `path` is decoded and has no leading slash. */
export function parseRequestPath(path: string): RequestPath {
  const parts = path === "" ? [] : path.split("/");
  const hasTrailingSlash = parts.length > 0 && parts.at(-1) === "";
  if (hasTrailingSlash) parts.pop();
  return { parts, lowerCaseParts: parts.map((part) => part.toLowerCase()), hasTrailingSlash };
}

interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  readonly defaultValue: string | undefined;
  readonly constraints: readonly Constraint[];
}

type Segment =
  | { readonly type: "literal"; readonly text: string }
  | { readonly type: "parameter"; readonly parameter: Parameter }
  | { readonly type: "catch-all"; readonly parameter: Parameter }
  | { readonly type: "mixed"; readonly pattern: RegExp; readonly parameters: readonly Parameter[] };

export function parseRouteTemplate(text: string): RouteTemplate {
  const segments = splitSegments(text).map(parseSegment);
  const catchAll = segments.findIndex((segment) => segment.type === "catch-all");
  if (catchAll !== -1 && catchAll !== segments.length - 1) {
    throw new Error(`route "${text}": a catch-all parameter must stand last`);
  }
  return { text, match: (path) => matchSegments(segments, path) };
}

function matchSegments(segments: readonly Segment[], path: RequestPath): RouteParams | undefined {
  const { parts, lowerCaseParts, hasTrailingSlash } = path;
  let params: Record<string, string> | undefined;
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    if (segment.type === "literal") {
      if (segment.text !== lowerCaseParts[index]) return undefined;
      continue;
    }
    params ??= {};
    if (segment.type === "catch-all") {
      const rest = parts.slice(index).join("/") + (hasTrailingSlash && index < parts.length ? "/" : "");
      return bind(params, segment.parameter, rest) ? params : undefined;
    }
    const part = parts[index];
    if (part === undefined) {
      if (segment.type !== "parameter") return undefined;
      const { name, optional, defaultValue } = segment.parameter;
      if (defaultValue !== undefined) params[name] = defaultValue;
      else if (!optional) return undefined;
    } else if (part === "" || !matchSegment(segment, part, params)) {
      return undefined;
    }
  }
  return parts.length > segments.length ? undefined : (params ?? {});
}

function matchSegment(
  segment: Extract<Segment, { type: "parameter" | "mixed" }>,
  part: string,
  params: Record<string, string>,
): boolean {
  if (segment.type === "parameter") return bind(params, segment.parameter, part);
  const found = segment.pattern.exec(part);
  return (
    found !== null &&
    segment.parameters.every((parameter, index) => {
      const value = found[index + 1];
      return value === undefined ? parameter.optional : bind(params, parameter, value);
    })
  );
}

function bind(params: Record<string, string>, parameter: Parameter, value: string): boolean {
  if (!parameter.constraints.every((accepts) => accepts(value))) return false;
  params[parameter.name] = value;
  return true;
}

/** Splits at slashes outside braces: a regex constraint may hold one. */
function splitSegments(text: string): string[] {
  const trimmed = text.replace(/^\//, "").replace(/\/$/, "");
  if (trimmed === "") return [];
  const segments: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of trimmed) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (character === "/" && depth === 0) {
      segments.push(current);
      current = "";
    } else {
      current += character;
    }
  }
  segments.push(current);
  return segments;
}

function parseSegment(text: string): Segment {
  const pieces = text.match(/\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+\}|[^{}]+/g) ?? [];
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) {
    if (!first.startsWith("{")) return { type: "literal", text: first.toLowerCase() };
    const inner = first.slice(1, -1);
    if (inner.startsWith("*")) return { type: "catch-all", parameter: parseParameter(inner.replace(/^\*{1,2}/, "")) };
    return { type: "parameter", parameter: parseParameter(inner) };
  }
  const parameters: Parameter[] = [];
  let pattern = "";
  for (const [index, piece] of pieces.entries()) {
    if (!piece.startsWith("{")) {
      // `{name}.{extension?}`: the dot is optional together with the parameter after it.
      const next = pieces[index + 1];
      const introducesOptional = piece === "." && next !== undefined && next.endsWith("?}");
      pattern += introducesOptional ? "(?:" : escapePattern(piece);
      if (introducesOptional) pattern += escapePattern(piece);
      continue;
    }
    const parameter = parseParameter(piece.slice(1, -1));
    parameters.push(parameter);
    pattern += parameter.optional && pieces[index - 1] === "." ? "(.+))?" : "(.+)";
  }
  return { type: "mixed", pattern: new RegExp(`^${pattern}$`, "i"), parameters };
}

function parseParameter(inner: string): Parameter {
  const optional = inner.endsWith("?");
  const body = optional ? inner.slice(0, -1) : inner;
  const name = /^[^:=]+/.exec(body)?.[0];
  if (name === undefined) throw new Error(`route parameter "{${inner}}" has no name`);
  const rest = body.slice(name.length);
  const equals = defaultPosition(rest);
  const constraintText = equals === -1 ? rest : rest.slice(0, equals);
  return {
    name,
    optional,
    defaultValue: equals === -1 ? undefined : rest.slice(equals + 1),
    constraints: splitConstraints(constraintText).map(constraintOf),
  };
}

/** The position at which `=default` begins, outside a constraint's brackets. */
function defaultPosition(rest: string): number {
  let depth = 0;
  for (const [index, character] of Array.from(rest).entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "=" && depth === 0) return index;
  }
  return -1;
}

function splitConstraints(text: string): string[] {
  const constraints: string[] = [];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === ":" && depth === 0) constraints.push("");
    else constraints.push((constraints.pop() ?? "") + character);
  }
  return constraints.filter((constraint) => constraint !== "");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
