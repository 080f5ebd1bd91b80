/** Finds the parts of a catalog that are never reached or used, for `npm run catalog:check`. The usual cause is a misspelt name. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { reachableAgents } from "@voice/shared/catalog/handoff-graph";
import { rulesOf } from "@voice/local-voice/rules/rule-set";

export function unusedParts(
  catalog: Catalog,
  /** Its parts may be unused: a folder may replace the scenario that used them. */
  builtIn: Catalog,
  /** The tools of TOOLS_DIR. */
  code: readonly string[],
): readonly string[] {
  const { agents, scenarios, httpTools, knowledge } = catalog;
  const takePart = new Set(
    [...scenarios.values()].flatMap(({ agents: members }) => members.map((name) => name.toLowerCase())),
  );
  const listed = new Set([...agents.values()].flatMap(({ tools }) => tools));
  const searched = new Set([...agents.values()].flatMap((agent) => agent.knowledge ?? []));
  const isOwn = (kind: "agents" | "scenarios" | "httpTools" | "knowledge", name: string): boolean =>
    !builtIn[kind].has(name);
  return [
    ...unreachable(catalog),
    ...[...agents.keys()]
      .filter((agent) => isOwn("agents", agent) && !takePart.has(agent))
      .map((agent) => `agents/${agent}: takes part in no scenario`),
    ...[...agents.keys()]
      .filter((agent) => isOwn("agents", agent) && takePart.has(agent))
      .flatMap((agent) => unofferedHandoffs(catalog, agent)),
    ...[...scenarios.keys()]
      .filter((name) => isOwn("scenarios", name))
      .flatMap((name) => unusedVariables(catalog, name)),
    ...[...httpTools.keys()]
      .filter((tool) => isOwn("httpTools", tool) && !listed.has(tool))
      .map((tool) => `tools/${tool}.yaml: no agent lists it among its tools`),
    ...[...knowledge.keys()]
      .filter((name) => isOwn("knowledge", name) && !searched.has(name))
      .map((name) => `knowledge/${name}: no agent names it in its knowledge`),
    ...code.filter((tool) => !listed.has(tool)).map((tool) => `TOOLS_DIR: ${tool}: no agent lists it among its tools`),
  ];
}

/** An intent whose handoff no scenario offers is never understood, whatever its examples say. */
function unofferedHandoffs({ agents, scenarios }: Catalog, key: string): readonly string[] {
  const agent = agents.get(key);
  if (agent === undefined) return [];
  const edges = [...scenarios.values()].flatMap(({ handoffs }) => handoffs.filter(({ from }) => from === agent.name));
  const offered = new Set(edges.map(({ to }) => to.toLowerCase()));
  return rulesOf(agent).intents.flatMap(({ name, action }) =>
    action.type !== "handoff" || action.to.some((to) => offered.has(to.toLowerCase()))
      ? []
      : `agents/${agent.name}/rules.yaml: intents.${name}.handoff.to: no scenario has a handoff from ${agent.name} to ${action.to.join(" or ")}`,
  );
}

function unreachable({ scenarios }: Catalog): readonly string[] {
  return [...scenarios.values()].flatMap((scenario) => {
    const reached = reachableAgents(scenario);
    return scenario.agents
      .filter((agent) => !reached.has(agent))
      .map((agent) => `scenarios/${scenario.name}.yaml: ${agent} cannot be reached from the start agent`);
  });
}

function unusedVariables({ agents, scenarios }: Catalog, name: string): readonly string[] {
  const scenario = scenarios.get(name);
  // Prompts, greetings and rules, wherever in an agent they stand.
  const texts = (scenario?.agents ?? []).map((agent) => JSON.stringify(agents.get(agent.toLowerCase()) ?? ""));
  return Object.keys(scenario?.templateVars ?? {})
    .filter((variable) => !texts.some((text) => new RegExp(`\\b${variable}\\b`).test(text)))
    .map((variable) => `scenarios/${name}.yaml: template_vars.${variable}: no agent of the scenario uses it`);
}
