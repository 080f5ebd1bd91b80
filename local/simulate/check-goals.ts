/** Holds the goals of a scenario against the catalog before anybody is called: what no session could meet is a mistake. */
import { findScenario } from "@voice/shared/catalog/catalog";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { isKnownTool } from "@voice/shared/catalog/known-tools";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import { didYouMean } from "@voice/shared/catalog/nearest-name";
import { placeProblems } from "@voice/shared/catalog/place-problems";
import { CatalogError } from "@voice/shared/catalog/problems";
import type { CatalogProblem } from "@voice/shared/catalog/problems";
import { customerProblem } from "../dialogues/dialogue-customers.ts";
import type { DialogueCustomers } from "../dialogues/dialogue-customers.ts";
import type { Goal, ScenarioEval } from "./eval-files.ts";

/** Throws a `CatalogError`. */
export function checkGoals(
  { scenario: name, goals, file, text }: ScenarioEval,
  catalog: Catalog,
  { known, customers }: { readonly known: KnownTools; readonly customers: DialogueCustomers["kind"] },
): void {
  const agents = findScenario(catalog, name)?.agents ?? [];
  const problems: CatalogProblem[] = [];
  for (const [index, goal] of goals.entries()) {
    const report = (key: string, message: string): void =>
      void problems.push({ file, key: `goals.${index}.${key}`, message });
    const { tools, tools_not_succeeded, agents: expected } = goal.checks;
    for (const [key, names] of Object.entries({ tools, tools_not_succeeded }))
      for (const [place, tool] of names.entries())
        if (!isKnownTool(known, tool))
          report(`checks.${key}.${place}`, `unknown tool ${tool}${didYouMean(tool, known.tools.keys())}`);
    for (const [place, agent] of expected.entries())
      if (!agents.some((member) => member.toLowerCase() === agent.toLowerCase()))
        report(`checks.agents.${place}`, `no agent ${agent} in the scenario ${name}${didYouMean(agent, agents)}`);
    const hasProfile = goal.knows_customer === true;
    const ofCustomer = customerProblem({ customer: goal.customer, hasProfile }, customers);
    if (ofCustomer !== undefined) report(hasProfile ? "knows_customer" : "customer", ofCustomer);
  }
  if (problems.length > 0) throw new CatalogError(placeProblems(problems, () => text));
}

/** Only the demonstration's customers are known to whoever plays them, unless the goal says otherwise. */
export function knowsCustomer({ knows_customer }: Goal, customers: DialogueCustomers["kind"]): boolean {
  return knows_customer ?? customers === "demo";
}
