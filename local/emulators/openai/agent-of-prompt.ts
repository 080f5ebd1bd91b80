/**
 * Finds the agent behind a request: it carries the agent's rendered prompt, which shares the most lines with the
 * agent's own template.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { AgentOfRequest } from "./model-responder.ts";

/** With less than this share of the template's lines, the prompt belongs to another agent. */
const leastShare = 0.5;
const nobody = { name: "", templateVars: {} };

export function agentOfPrompt(agents: readonly Agent[]): AgentOfRequest {
  const templates = agents.map((agent) => ({ agent, lines: fixedLines(agent.prompt) }));
  return ({ messages }) => {
    const prompt = new Set(linesOf(messages.find(({ role }) => role === "system")?.content ?? ""));
    let found: Agent | undefined;
    let best = leastShare;
    for (const { agent, lines } of templates) {
      const share = lines.filter((line) => prompt.has(line)).length / lines.length;
      if (share > best) [found, best] = [agent, share];
    }
    return { agent: found ?? nobody, memory: {} };
  };
}

/** The lines that rendering does not change. */
function fixedLines(template: string): readonly string[] {
  return linesOf(template).filter((line) => !/[{}]/.test(line));
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
