/**
 * Liquid, cut down to what prompts and sentences need: no code execution, no files, own properties only, bounded work.
 * Templates may come from a request body (session-scoped agents), so the limits are not optional.
 */
import { Context, Liquid, toValueSync } from "liquidjs";
import { BoundedOutput } from "./bounded-output.ts";
import { counted, maxWorkUnits } from "./filter-work.ts";
import { isPlainObject } from "../platform/plain-object.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";
import { findPositionsQuickly } from "./template-positions.ts";

const maxTemplateLength = 50_000;
/** Characters of a template inside braces: each takes 2 µs to parse, while plain text takes next to nothing. */
const maxCharactersInBraces = 8000;
/** Nodes of a template that one rendering may visit. The largest built-in prompt needs fewer than 100. */
const maxRenderSteps = 2000;
/**
 * A fallback in addition to the limit on steps, in case a filter is unexpectedly slow. It is wall time, and a busy machine may withhold the
 * processor for a second: a limit of 250 ms once prevented a host from starting.
 */
const maxRenderMs = 5000;
/** Characters of cached templates; a parsed one takes about ten times as much memory as its text. */
const maxParsedCharacters = 2_000_000;
/** For prompts. Spoken text has a much lower limit of its own. */
const maxOutputCharacters = 100_000;
/** About four minutes of speech, more than any caller listens to at once. */
export const maxSpokenCharacters = 4000;
/** The last of these accumulates text that no limit counts. */
const refusedTags = ["include", "render", "layout", "block", "tablerow", "liquid", "capture"];
/** It matches a pattern that takes quadratic time. */
const refusedFilters = ["strip_html"];

export type TemplateScope = Readonly<Record<string, unknown>>;
/** Keyed by variable. */
export type KnownFields = Readonly<Record<string, ReadonlySet<string>>>;
/** `language`: what the template's variable of that name says, where it has one. `option`: `{{ value | filter: option }}`. */
export type TemplateFilters = Readonly<
  Record<string, (value: unknown, language: string | undefined, option: unknown) => string>
>;

type ParsedTemplate = ReturnType<Liquid["parse"]>;
/** A variable, and the fields below it that a template names. */
type VariableSegments = ReturnType<Liquid["globalVariableSegmentsSync"]>;

export class Templates {
  readonly #engine: Liquid;
  /** Parsing is most of the cost, and a process renders the same few hundred templates all its life. */
  readonly #parsed = new RecentlyUsed<ParsedTemplate>(maxParsedCharacters);
  /** What all agents have in common is checked for each of them. */
  readonly #variables = new RecentlyUsed<VariableSegments>(maxParsedCharacters);

  /** `filters` are known besides Liquid's own. */
  constructor(filters: TemplateFilters = {}) {
    this.#engine = createEngine(filters);
  }

  /** Renders text for a prompt or for speech; missing values render as nothing. Throws if the text gets too long. */
  render(template: string, scope: TemplateScope, maxCharacters = maxOutputCharacters): string {
    return this.#render(template, scope, maxCharacters).buffer;
  }

  /** The value of a lone `{{ expression }}` with its own type (a tool wants a number), otherwise text. */
  evaluate(template: string, scope: TemplateScope): unknown {
    return this.#render(template, scope, maxOutputCharacters).value;
  }

  /**
   * The problems of a template: its syntax, unknown filters, or undefined variables. `fields` lists the fields of those
   * variables whose fields are known.
   */
  problem(template: string, knownVariables: ReadonlySet<string>, fields: KnownFields = {}): string | undefined {
    try {
      const used = this.#variablesOf(template);
      const unknown = new Set(used.map(([name]) => String(name)).filter((name) => !knownVariables.has(name)));
      if (unknown.size > 0) return unknownNames("variable", [...unknown], knownVariables);
      for (const [name, known] of Object.entries(fields)) {
        const wrong = used.flatMap(([variable, field]) =>
          variable === name && typeof field === "string" && !known.has(field) ? [`${name}.${field}`] : [],
        );
        if (wrong.length > 0) return unknownNames("value", wrong, known);
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? withLineOnly(error.message.split("\n")[0] ?? "", template) : "not a template";
    }
  }

  #render(template: string, scope: TemplateScope, maxCharacters: number): BoundedOutput {
    const output = new BoundedOutput(maxCharacters);
    const parts = this.#parse(template);
    toValueSync(this.#engine.renderer.renderTemplates(parts, boundedContext(this.#engine, scope), output));
    return output;
  }

  #parse(template: string): ParsedTemplate {
    const before = this.#parsed.get(template);
    if (before !== undefined) return before;
    const parsed = parse(this.#engine, template);
    this.#parsed.set(template, parsed, template.length);
    return parsed;
  }

  #variablesOf(template: string): VariableSegments {
    const before = this.#variables.get(template);
    if (before !== undefined) return before;
    const variables = this.#engine.globalVariableSegmentsSync(this.#parse(template));
    this.#variables.set(template, variables, template.length);
    return variables;
  }
}

/** The line within the template, if it has several lines: a short text is part of a file with other line numbers. */
function withLineOnly(message: string, template: string): string {
  const [position, line] = /, line:(\d+), col:\d+$/.exec(message) ?? [""];
  const what = message.slice(0, message.length - position.length);
  return line !== undefined && template.trim().includes("\n") ? `${what}, in line ${line} of the text` : what;
}

function unknownNames(what: string, unknown: readonly string[], known: ReadonlySet<string>): string {
  const there = known.size === 0 ? "there are none" : `known here: ${[...known].toSorted().join(", ")}`;
  return `unknown ${what} ${unknown.join(", ")} (${there})`;
}

function parse(engine: Liquid, template: string): ParsedTemplate {
  const inBraces = charactersInBraces(template);
  if (inBraces > maxCharactersInBraces)
    throw new Error(`template braces limit exceeded: ${inBraces} characters of ${maxCharactersInBraces}`);
  return engine.parse(template);
}

function charactersInBraces(template: string): number {
  let characters = 0;
  let openedAt: number | undefined;
  for (const { 0: braces, index } of template.matchAll(/\{[{%]|[%}]\}/g)) {
    if (braces.startsWith("{")) openedAt ??= index;
    else if (openedAt !== undefined) {
      characters += index + braces.length - openedAt;
      openedAt = undefined;
    }
  }
  return openedAt === undefined ? characters : characters + template.length - openedAt;
}

/** A value that is called `size` is empty where it is not set; Liquid would read the number of the object's fields. */
class FieldsOnly extends Context {
  override readProperty(...[of, key]: Parameters<Context["readProperty"]>): unknown {
    if (key === "size" && isPlainObject(of)) return Object.hasOwn(of, key) ? of[key] : undefined;
    return super.readProperty(of, key);
  }
}

/** The engine checks its time limit before each node of the template, so this is the place to count steps. */
function boundedContext(engine: Liquid, scope: TemplateScope): Context {
  const context = new FieldsOnly(scope, engine.options, { sync: true });
  const limit = context.renderLimit;
  const checkTime = limit.check.bind(limit);
  let steps = 0;
  limit.check = (now) => {
    steps += 1;
    if (steps > maxRenderSteps) throw new Error("template steps limit exceeded");
    checkTime(now);
  };
  return context;
}

function createEngine(filters: TemplateFilters): Liquid {
  findPositionsQuickly();
  const engine = new Liquid({
    ownPropertyOnly: true,
    // Fixed, because the machine's locale must not affect agents, and detecting it takes 10 ms of a cold start.
    locale: "en-US",
    strictFilters: true,
    templates: {},
    parseLimit: maxTemplateLength,
    renderLimit: maxRenderMs,
    memoryLimit: maxWorkUnits,
  });
  for (const tag of refusedTags) delete engine.tags[tag];
  for (const filter of refusedFilters) delete engine.filters[filter];
  for (const [name, filter] of Object.entries(filters))
    engine.registerFilter(name, function inLanguage(value: unknown, option: unknown) {
      const language: unknown = this.context.getSync(["language"]);
      return filter(value, typeof language === "string" ? language : undefined, option);
    });
  for (const [name, filter] of Object.entries(engine.filters)) engine.registerFilter(name, counted(filter));
  return engine;
}
