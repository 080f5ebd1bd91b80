/** Checks an agent's rules: the tools and intents that they refer to, and the variables that their templates use. */
import { argumentProblem } from "@voice/shared/catalog/argument-problem";
import type { RulesScope } from "@voice/shared/catalog/catalog-language";
import type { Steps } from "@voice/shared/platform/steps";
import type { KnownTool, KnownTools } from "@voice/shared/catalog/known-tools";
import type { KnownFields } from "@voice/shared/catalog/template";
import { ruleTemplates } from "./rule-templates.ts";
import type { AgentRules, FollowUp, Intent, IntentAction, Orientation, Slot } from "./rules.ts";

/** Variables available to all rule templates, in addition to the agent's and the scenarios'. */
const ruleVariables = ["agent_name", "context", "memory", "slots", "today"];
/** Further variables available after a tool's result. */
const resultVariables = ["result", "resuming"];
/** Fields of every result, whatever the tool. */
const outcomeFields = ["success", "error", "message"];

export interface PlacedProblem {
  /** The intent in which the problem is; undefined for the escalation. */
  readonly place: { readonly intent?: string };
  readonly key: string;
  readonly message: string;
}

interface AgentScope extends RulesScope {
  readonly agentTools: readonly string[];
}

export function* checkRules(rules: AgentRules, scope: AgentScope): Steps<readonly PlacedProblem[]> {
  const check = new RulesCheck(rules, scope);
  const problems: PlacedProblem[] = [];
  const parts = [
    ...rules.intents.map((intent) => ({
      place: { intent: intent.name },
      path: `intents.${intent.name}`,
      found: check.intent(intent),
    })),
    // Common to all agents, so an agent without the intent is not a mistake.
    { place: {}, path: "orientation", found: check.orientation(rules.orientation) },
    { place: {}, path: "escalation", found: check.action(rules.escalation) },
  ];
  for (const { place, path, found } of parts)
    for (const problem of found) {
      if (problem !== undefined) problems.push({ place, key: `${path}.${problem.key}`, message: problem.message });
      yield;
    }
  return problems;
}

interface Problem {
  readonly key: string;
  readonly message: string;
}

/** Each check in order, with its problem if it has one. */
type Found = Generator<Problem | undefined>;

class RulesCheck {
  readonly #scope: AgentScope;
  readonly #intents: ReadonlySet<string>;
  /** Intents that others begin. */
  readonly #linked: Set<string>;
  readonly #before: ReadonlySet<string>;
  readonly #afterTool: ReadonlySet<string>;

  constructor(rules: AgentRules, scope: AgentScope) {
    this.#scope = scope;
    this.#intents = new Set(rules.intents.map(({ name }) => name));
    this.#linked = new Set(rules.intents.flatMap((intent) => linksOf(intent)));
    // The intent that calls the escalation's tool also receives its result.
    for (const { name, action } of rules.intents)
      if (action.type === "call" && rules.escalation.type === "call" && action.tool === rules.escalation.tool)
        this.#linked.add(name);
    this.#before = new Set([...ruleVariables, ...scope.variables]);
    this.#afterTool = new Set([...this.#before, ...resultVariables]);
  }

  *intent(intent: Intent): Found {
    const fields = { slots: new Set(intent.slots.map(({ name }) => name)) };
    yield this.#template("confirm", intent.confirm, fields);
    yield this.#template("declined", intent.declined, fields);
    yield this.#template("still", intent.still, fields);
    yield* this.action(intent.action, fields, intent.slots);
    const told = { ...fields, ...this.#resultOf(intent.action) };
    for (const [key, followUp] of followUps(intent)) yield* this.#followUp(key, followUp, told);
    yield this.#link("first.intent", intent.first?.intent);
    if (intent.examples.length === 0 && !this.#linked.has(intent.name))
      yield { key: "examples", message: "nobody gets here: there are none, and no other intent leads here" };
    for (const [index, example] of intent.examples.entries())
      yield* placeholderProblems(`examples.${index}`, example, intent);
    for (const slot of intent.slots) yield* this.#slot(slot, intent, fields);
  }

  *orientation(orientation: Orientation | undefined): Found {
    yield this.#template("off_topic", orientation?.offTopic);
    yield this.#template("again", orientation?.again);
  }

  *action(action: IntentAction, fields: KnownFields = {}, slots: readonly Slot[] = []): Found {
    switch (action.type) {
      case "repeat":
        return;
      case "say":
        yield this.#template("say", action.say, fields);
        return;
      case "handoff":
        yield this.#template("say", action.say, fields);
        for (const target of action.to)
          yield this.#scope.knowsAgent(target)
            ? undefined
            : { key: "handoff.to", message: `unknown agent "${target}"` };
        return;
      case "call":
        yield this.#template("say", action.say, fields);
        yield* this.#call(action, fields, slots);
        return;
      default:
        action satisfies never;
    }
  }

  *#call(action: Call, fields: KnownFields, slots: readonly Slot[]): Found {
    const { agentTools, tools } = this.#scope;
    for (const [name, value] of Object.entries(action.args)) yield this.#template(`call.args.${name}`, value, fields);
    if (!agentTools.includes(action.tool))
      yield { key: "call.tool", message: `"${action.tool}" is not in the agent's tools` };
    yield* argumentProblems(action, tools);
    yield* neverFilled(action, slots, tools);
  }

  /** The fields of a result that a follow-up may use, if the tool declares them. */
  #resultOf(action: IntentAction): KnownFields {
    const promised = action.type === "call" ? this.#scope.tools.tools.get(action.tool)?.resultFields : undefined;
    return promised === undefined ? {} : { result: new Set([...promised, ...outcomeFields]) };
  }

  *#followUp(key: string, { say, next, offer }: FollowUp, fields: KnownFields): Found {
    yield this.#template(key, say, fields, this.#afterTool);
    yield this.#link(`${key}.next`, next);
    yield this.#link(`${key}.offer`, offer);
  }

  *#slot(slot: Slot, intent: Intent, fields: KnownFields): Found {
    const place = `slots.${slot.name}`;
    yield this.#template(`${place}.ask`, slot.ask, fields);
    yield this.#template(`${place}.retry`, slot.retry, fields);
    yield this.#template(`${place}.help`, slot.help, fields);
    for (const [index, answer] of (slot.answers ?? []).entries())
      yield* placeholderProblems(`${place}.answers.${index}`, answer, intent);
  }

  #link(key: string, target: string | undefined): Problem | undefined {
    if (target === undefined || this.#intents.has(target)) return undefined;
    return { key, message: `unknown intent "${target}"` };
  }

  #template(
    key: string,
    text: string | undefined,
    fields: KnownFields = {},
    variables = this.#before,
  ): Problem | undefined {
    const message = text === undefined ? undefined : ruleTemplates.problem(text, variables, fields);
    return message === undefined ? undefined : { key, message };
  }
}

type Call = Extract<IntentAction, { type: "call" }>;

function argumentProblems(action: Call, known: KnownTools): readonly Problem[] {
  const tool = known.tools.get(action.tool);
  if (tool === undefined) return [];
  const { shape } = tool.parameters;
  const unknown = Object.keys(action.args).filter((name) => !(name in shape));
  const missing = Object.entries(shape).filter(([name]) => !(name in action.args) && isRequired(tool, name));
  const wrong = Object.entries(action.args).flatMap(([name, value]) => {
    // The value of a template is known only when it is rendered.
    if (value.includes("{")) return [];
    const message = argumentProblem(tool, name, value, Number(value), value === "true");
    return message === undefined ? [] : [{ key: `call.args.${name}`, message }];
  });
  return [
    ...unknown.map((name) => ({ key: `call.args.${name}`, message: `"${action.tool}" has no such argument` })),
    ...missing.map(([name]) => ({ key: "call.args", message: `"${action.tool}" needs the argument "${name}"` })),
    ...wrong,
  ];
}

function isRequired({ parameters }: KnownTool, argument: string): boolean {
  return parameters.shape[argument]?.safeParse(undefined).success === false;
}

/** A slot without a question is optional, and a required argument may not depend on such a slot alone. */
function neverFilled(action: Call, slots: readonly Slot[], known: KnownTools): readonly Problem[] {
  const tool = known.tools.get(action.tool);
  if (tool === undefined) return [];
  return slots
    .filter(({ ask, memory, fallback }) => ask === undefined && memory === undefined && fallback === undefined)
    .flatMap(({ name: slot }) =>
      Object.entries(action.args)
        .filter(([name, value]) => value.replaceAll(" ", "") === `{{slots.${slot}}}` && isRequired(tool, name))
        .map(([name]) => ({
          key: `slots.${slot}.ask`,
          message: `is missing: "${action.tool}" needs the argument "${name}", and callers would not be asked for it`,
        })),
    );
}

function followUps(intent: Intent): readonly (readonly [string, FollowUp])[] {
  const { success, failure, errors } = intent.after;
  return [
    ...(success === undefined ? [] : [["after.success", success] as const]),
    ...(failure === undefined ? [] : [["after.failure", failure] as const]),
    ...Object.entries(errors ?? {}).map(([code, followUp]) => [`after.errors.${code}`, followUp] as const),
  ];
}

function linksOf(intent: Intent): readonly string[] {
  const targets = [intent.first?.intent, ...followUps(intent).flatMap(([, { next, offer }]) => [next, offer])];
  return targets.filter((target) => target !== undefined);
}

function placeholderProblems(key: string, sentence: string, intent: Intent): readonly Problem[] {
  return [...sentence.matchAll(/\{([^}]*)\}/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !intent.slots.some((slot) => slot.name === name))
    .map((name) => ({ key, message: `unknown slot "{${name}}"` }));
}
