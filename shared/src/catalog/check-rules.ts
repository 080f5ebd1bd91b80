/** Whether an agent's rules make sense: what they call, where they go, what their templates name. */
import type { Agent } from "./agent.ts";
import { isKnownAgent, type KnownAgents, type KnownTools } from "./known-names.ts";
import type { CatalogProblem } from "./problems.ts";
import type { FollowUp, Intent, IntentAction } from "./rules.ts";
import { templateProblem } from "./template.ts";

const ruleVariables = ["agent_name", "context", "memory", "slots", "today"];

export function ruleProblems(
  agent: Agent,
  names: KnownAgents,
  known: KnownTools,
  ownVariables: ReadonlySet<string>,
  rulesPathOf: (intent: string) => string,
): readonly CatalogProblem[] {
  const intentNames = new Set(agent.rules.intents.map((intent) => intent.name));
  const before = new Set([...ruleVariables, ...ownVariables]);
  const after = new Set([...before, "result", "resuming"]);
  const problems: CatalogProblem[] = [];

  const actionProblems = (action: IntentAction, report: (key: string, message: string | undefined) => void): void => {
    if (action.type === "repeat") return;
    report("say", action.say === undefined ? undefined : templateProblem(action.say, before));
    if (action.type === "call") {
      for (const [name, value] of Object.entries(action.args))
        report(`call.args.${name}`, templateProblem(value, before));
      report(
        "call.tool",
        agent.tools.includes(action.tool) ? undefined : `"${action.tool}" is not in the agent's tools`,
      );
      for (const { key, message } of argumentProblems(action, known)) report(key, message);
    }
    if (action.type === "handoff") {
      for (const target of action.to) {
        if (!isKnownAgent(names, target)) report("handoff.to", `unknown agent "${target}"`);
      }
    }
  };

  for (const intent of agent.rules.intents) {
    const report = (key: string, message: string | undefined): void => {
      if (message !== undefined)
        problems.push({ file: rulesPathOf(intent.name), key: `intents.${intent.name}.${key}`, message });
    };
    for (const key of ["confirm", "declined"] as const) {
      const text = intent[key];
      if (text !== undefined) report(key, templateProblem(text, before));
    }
    actionProblems(intent.action, report);
    for (const [key, followUp] of followUps(intent)) {
      if (followUp.say !== undefined) report(key, templateProblem(followUp.say, after));
      for (const link of ["next", "offer"] as const) {
        const target = followUp[link];
        if (target !== undefined && !intentNames.has(target)) report(`${key}.${link}`, `unknown intent "${target}"`);
      }
    }
    if (intent.first !== undefined && !intentNames.has(intent.first.intent))
      report("first.intent", `unknown intent "${intent.first.intent}"`);
    for (const [index, example] of intent.examples.entries())
      for (const name of unknownPlaceholders(example, intent)) report(`examples.${index}`, `unknown slot "{${name}}"`);
    for (const slot of intent.slots) {
      for (const key of ["ask", "retry", "help"] as const) {
        const text = slot[key];
        if (text !== undefined) report(`slots.${slot.name}.${key}`, templateProblem(text, before));
      }
      for (const [index, answer] of (slot.answers ?? []).entries())
        for (const name of unknownPlaceholders(answer, intent))
          report(`slots.${slot.name}.answers.${index}`, `unknown slot "{${name}}"`);
    }
  }
  actionProblems(agent.rules.escalation, (key, message) => {
    if (message !== undefined) problems.push({ file: rulesPathOf("escalation"), key: `escalation.${key}`, message });
  });
  return problems;
}

function argumentProblems(
  action: Extract<IntentAction, { type: "call" }>,
  known: KnownTools,
): readonly { key: string; message: string }[] {
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

function unknownPlaceholders(example: string, intent: Intent): readonly string[] {
  return [...example.matchAll(/\{([^}]*)\}/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !intent.slots.some((slot) => slot.name === name));
}
