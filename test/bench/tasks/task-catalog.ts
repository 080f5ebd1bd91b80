/** A domain as a catalog with one agent, and its tasks as goals of simulated callers. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { deskName, type DescribedDomain, type Task } from "./task-domain.ts";

/** What a caller says where nobody plays one, and the only sentence that this machine's recogniser has to understand. */
export const plainRequest = "I need your help with my account";
/** The one persona: how a caller of the benchmark behaves is part of the task. */
export const personaName = "as-described";

export async function writeTaskCatalog(
  folder: string,
  domain: { readonly name: string } & DescribedDomain,
  tasks: readonly Task[],
): Promise<{ readonly catalog: string; readonly evals: string }> {
  const { name, policy, tools } = domain;
  const [catalog, evals] = [join(folder, "catalog"), join(folder, "evals")];
  const agent = {
    description: `Answers callers of ${name} by its policy.`,
    greeting: "Hi! How can I help you today?",
    tools: tools.map((tool) => `${deskName}_${tool.name}`),
    model: { max_tool_rounds: 100 },
  };
  // Only the model of this machine, which no run uses, goes by rules; its recogniser hears what is among the examples.
  const rules = {
    fallback: "I did not understand.",
    arrival: "Let us begin.",
    escalation: { say: "I cannot help with that." },
    intents: { help: { examples: [plainRequest.toLowerCase()], say: "What is it about?" } },
  };
  const remark = `The names of your tools begin with ${deskName}_. You are on the phone: speak in short sentences, without lists.`;
  const files = {
    [join(catalog, "agents", name, "agent.yaml")]: stringify(agent),
    [join(catalog, "agents", name, "rules.yaml")]: stringify(rules),
    [join(catalog, "agents", name, "prompt.md")]: `${policy}\n\n${remark}\n`,
    [join(catalog, "scenarios", `${name}.yaml`)]: stringify({
      description: `The benchmark's domain ${name}.`,
      agents: [name],
      start_agent: name,
    }),
    [join(evals, "personas", `${personaName}.yaml`)]: stringify({
      description: "Somebody as the task describes them.",
      caller: "You are as what you want says.",
    }),
    [join(evals, "scenarios", `${name}.yaml`)]: stringify({
      scenario: name,
      goals: tasks.map(goalOf),
      rubric: {
        outcome: "The caller got what they wanted as far as the agent could give it, or was told truthfully why not.",
      },
    }),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { catalog, evals };
}

function goalOf({ id, user_scenario: { persona, instructions }, evaluation_criteria: criteria }: Task) {
  const checks = { answers_contain: criteria?.communicate_info ?? [] };
  const whoTheyAre = [persona ?? []].flat();
  if (typeof instructions === "string")
    return {
      name: id,
      caller: [...whoTheyAre, instructions].join("\n"),
      opening: plainRequest,
      knows: instructions,
      checks,
    };
  const { reason_for_call: reason, task_instructions: how, known_info: known, unknown_info: unknown } = instructions;
  return {
    name: id,
    caller: [...whoTheyAre, reason, how].join("\n"),
    opening: reason,
    knows: [known ?? "Nothing else.", ...(unknown === null || unknown === undefined ? [] : [unknown])].join("\n"),
    checks,
  };
}
