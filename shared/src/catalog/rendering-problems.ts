/**
 * Finds templates that parse but cannot be rendered, for instance because they loop for too long, before a caller meets
 * them.
 */
import type { Steps } from "../platform/steps.ts";
import type { Agent } from "./agent.ts";
import type { CatalogProblem } from "./problems.ts";
import { maxSpokenCharacters, type Templates } from "./template.ts";

/** Renders with only the agent's own variables, without those that a conversation adds. */
export function* renderingProblems(agent: Agent, templates: Templates): Steps<readonly CatalogProblem[]> {
  const scope = { agent_name: agent.name, memory: {}, ...agent.templateVars };
  const problem = (file: string, key: string, template = "", maxCharacters?: number): readonly CatalogProblem[] => {
    try {
      templates.render(template, scope, maxCharacters);
      return [];
    } catch (error) {
      const message = error instanceof Error ? error.message.split(", line")[0] : undefined;
      return [{ file, key, message: message ?? "cannot be rendered" }];
    }
  };
  const found = [...problem(agent.promptPath, "", agent.prompt)];
  yield;
  for (const { promptPath, prompt } of agent.otherPrompts ?? []) {
    found.push(...problem(promptPath, "", prompt));
    yield;
  }
  found.push(...problem(agent.configPath, "greeting", agent.greeting, maxSpokenCharacters));
  yield;
  found.push(...problem(agent.configPath, "return_greeting", agent.returnGreeting, maxSpokenCharacters));
  return found;
}
