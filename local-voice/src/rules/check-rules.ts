/** Whether an agent's rules make sense: what they call, where they go, what their templates name. */
import type { RulesScope } from "@voice/shared/catalog/catalog-language";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import type { KnownFields } from "@voice/shared/catalog/template";
import { ruleTemplates } from "./rule-templates.ts";
import type { AgentRules, FollowUp, Intent, IntentAction, Orientation, Slot } from "./rules.ts";

/** What every template of a rule may use, beside the agent's and the scenarios' own variables. */
const ruleVariables = ["agent_name", "context", "memory", "slots", "today"];
/** And where a tool has answered. */
const resultVariables = ["result", "resuming"];

export interface PlacedProblem {
  /** The intent it stands in; none for the escalation. */
  readonly place: { readonly intent?: string };
  readonly key: string;
  readonly message: string;
}

interface AgentScope extends RulesScope {
  readonly agentTools: readonly string[];
}

export function checkRules(rules: AgentRules, scope: AgentScope): readonly PlacedProblem[] {
  const check = new RulesCheck(rules, scope);
  return [
    ...rules.intents.flatMap((intent) => check.intent(intent)),
    ...check.orientation(rules.orientation),
    ...check.action(rules.escalation).map(({ key, message }) => ({ place: {}, key: `escalation.${key}`, message })),
  ];
}

interface Problem {
  readonly key: string;
  readonly message: string;
}

class RulesCheck {
  readonly #scope: AgentScope;
  readonly #intents: ReadonlySet<string>;
  readonly #before: ReadonlySet<string>;
  readonly #afterTool: ReadonlySet<string>;

  constructor(rules: AgentRules, scope: AgentScope) {
    this.#scope = scope;
    this.#intents = new Set(rules.intents.map(({ name }) => name));
    this.#before = new Set([...ruleVariables, ...scope.variables]);
    this.#afterTool = new Set([...this.#before, ...resultVariables]);
  }

  intent(intent: Intent): readonly PlacedProblem[] {
    const fields = { slots: new Set(intent.slots.map(({ name }) => name)) };
    const problems = [
      ...this.#template("confirm", intent.confirm, fields),
      ...this.#template("declined", intent.declined, fields),
      ...this.#template("still", intent.still, fields),
      ...this.action(intent.action, fields),
      ...followUps(intent).flatMap(([key, followUp]) => this.#followUp(key, followUp, fields)),
      ...this.#link("first.intent", intent.first?.intent),
      ...intent.examples.flatMap((example, index) => placeholderProblems(`examples.${index}`, example, intent)),
      ...intent.slots.flatMap((slot) => this.#slot(slot, intent, fields)),
    ];
    const place = { intent: intent.name };
    return problems.map(({ key, message }) => ({ place, key: `intents.${intent.name}.${key}`, message }));
  }

  /** Common to all agents, so that one without the intent is no mistake. */
  orientation(orientation: Orientation | undefined): readonly PlacedProblem[] {
    if (orientation === undefined) return [];
    const problems = [
      ...this.#template("off_topic", orientation.offTopic),
      ...this.#template("again", orientation.again),
    ];
    return problems.map(({ key, message }) => ({ place: {}, key: `orientation.${key}`, message }));
  }

  action(action: IntentAction, fields: KnownFields = {}): readonly Problem[] {
    switch (action.type) {
      case "repeat":
        return [];
      case "say":
        return this.#template("say", action.say, fields);
      case "handoff":
        return [
          ...this.#template("say", action.say, fields),
          ...action.to
            .filter((target) => !this.#scope.knowsAgent(target))
            .map((target) => ({ key: "handoff.to", message: `unknown agent "${target}"` })),
        ];
      case "call":
        return [...this.#template("say", action.say, fields), ...this.#call(action, fields)];
      default:
        return action satisfies never;
    }
  }

  #call(action: Call, fields: KnownFields): readonly Problem[] {
    const { agentTools, tools } = this.#scope;
    const isForeign = !agentTools.includes(action.tool);
    return [
      ...Object.entries(action.args).flatMap(([name, value]) => this.#template(`call.args.${name}`, value, fields)),
      ...(isForeign ? [{ key: "call.tool", message: `"${action.tool}" is not in the agent's tools` }] : []),
      ...argumentProblems(action, tools),
    ];
  }

  #followUp(key: string, { say, next, offer }: FollowUp, fields: KnownFields): readonly Problem[] {
    return [
      ...this.#template(key, say, fields, this.#afterTool),
      ...this.#link(`${key}.next`, next),
      ...this.#link(`${key}.offer`, offer),
    ];
  }

  #slot(slot: Slot, intent: Intent, fields: KnownFields): readonly Problem[] {
    const place = `slots.${slot.name}`;
    const answers = slot.answers ?? [];
    return [
      ...this.#template(`${place}.ask`, slot.ask, fields),
      ...this.#template(`${place}.retry`, slot.retry, fields),
      ...this.#template(`${place}.help`, slot.help, fields),
      ...answers.flatMap((answer, index) => placeholderProblems(`${place}.answers.${index}`, answer, intent)),
    ];
  }

  #link(key: string, target: string | undefined): readonly Problem[] {
    if (target === undefined || this.#intents.has(target)) return [];
    return [{ key, message: `unknown intent "${target}"` }];
  }

  #template(
    key: string,
    text: string | undefined,
    fields: KnownFields = {},
    variables = this.#before,
  ): readonly Problem[] {
    const message = text === undefined ? undefined : ruleTemplates.problem(text, variables, fields);
    return message === undefined ? [] : [{ key, message }];
  }
}

type Call = Extract<IntentAction, { type: "call" }>;

function argumentProblems(action: Call, known: KnownTools): readonly Problem[] {
  const shape = known.tools.get(action.tool)?.parameters.shape;
  if (shape === undefined) return [];
  const unknown = Object.keys(action.args).filter((name) => !(name in shape));
  const missing = Object.entries(shape).filter(
    ([name, schema]) => !(name in action.args) && !schema.safeParse(undefined).success,
  );
  return [
    ...unknown.map((name) => ({ key: `call.args.${name}`, message: `"${action.tool}" has no such argument` })),
    ...missing.map(([name]) => ({ key: "call.args", message: `"${action.tool}" needs the argument "${name}"` })),
  ];
}

function followUps(intent: Intent): readonly (readonly [string, FollowUp])[] {
  const { success, failure, errors } = intent.after;
  return [
    ...(success === undefined ? [] : [["after.success", success] as const]),
    ...(failure === undefined ? [] : [["after.failure", failure] as const]),
    ...Object.entries(errors ?? {}).map(([code, followUp]) => [`after.errors.${code}`, followUp] as const),
  ];
}

function placeholderProblems(key: string, sentence: string, intent: Intent): readonly Problem[] {
  return [...sentence.matchAll(/\{([^}]*)\}/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !intent.slots.some((slot) => slot.name === name))
    .map((name) => ({ key, message: `unknown slot "{${name}}"` }));
}
