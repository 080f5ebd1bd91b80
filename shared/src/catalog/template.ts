/**
 * Liquid, cut down to what prompts and sentences need: no code execution, no files, own properties only, bounded work.
 * Templates may come from a request body (session-scoped agents), so the limits are not optional.
 */
import { Liquid } from "liquidjs";
import { dateToWords, digitsToWords, moneyToWords, numberToWords } from "./spoken.ts";

const maxTemplateLength = 50_000;
/** A prompt takes well under a millisecond; this stops nested loops, with room for a busy machine. */
const maxRenderMs = 1000;
/** Characters and list items that filters and ranges may make. */
const maxMemoryUnits = 100_000;
const maxParsedTemplates = 2000;
const refusedTags = ["include", "render", "layout", "block", "tablerow", "liquid"];

export type TemplateScope = Readonly<Record<string, unknown>>;

/** Text for a prompt or for speech; values that are not there render as nothing. */
export function renderTemplate(template: string, scope: TemplateScope): string {
  return String(renderText(template, scope));
}

/** The value of a lone `{{ expression }}` with its own type (a tool wants a number), otherwise text. */
export function renderValue(template: string, scope: TemplateScope): unknown {
  return renderTyped(template, scope);
}

/** What is wrong with a template: its syntax, an unknown filter, or a variable that nobody provides. */
export function templateProblem(template: string, knownVariables: ReadonlySet<string>): string | undefined {
  try {
    const unknown = checkingEngine
      .globalVariablesSync(checkingEngine.parse(template))
      .filter((name) => !knownVariables.has(name));
    if (unknown.length === 0) return undefined;
    return `unknown variable ${unknown.join(", ")} (known here: ${[...knownVariables].toSorted().join(", ")})`;
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : "not a template";
  }
}

const checkingEngine = createEngine(false);
const renderText = createRenderer(false);
const renderTyped = createRenderer(true);

/** Parsing is most of the cost, and the same few hundred templates are rendered for the life of the process. */
function createRenderer(keepOutputType: boolean): (template: string, scope: TemplateScope) => unknown {
  const engine = createEngine(keepOutputType);
  const parsed = new Map<string, ReturnType<Liquid["parse"]>>();
  return (template, scope) => {
    let parts = parsed.get(template);
    if (parts === undefined) {
      parts = engine.parse(template);
      if (parsed.size >= maxParsedTemplates) parsed.clear();
      parsed.set(template, parts);
    }
    return engine.renderSync(parts, scope);
  };
}

function createEngine(keepOutputType: boolean): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    templates: {},
    parseLimit: maxTemplateLength,
    renderLimit: maxRenderMs,
    memoryLimit: maxMemoryUnits,
    keepOutputType,
  });
  for (const tag of refusedTags) delete engine.tags[tag];
  engine.registerFilter("money", (value: unknown) => moneyToWords(Number(value)));
  engine.registerFilter("number", (value: unknown) => numberToWords(Number(value)));
  engine.registerFilter("digits", (value: unknown) => digitsToWords(asText(value)));
  engine.registerFilter("spoken_date", (value: unknown) => dateToWords(asText(value)));
  return engine;
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
