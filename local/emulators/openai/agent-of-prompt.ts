/** Which agent asks: the wire carries its rendered prompt, and that has most lines in common with its own template. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { AgentOfRequest } from "./model-responder.ts";

/** Below this share of a template's lines, the prompt is somebody else's. */
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

/** Those that rendering does not change. */
function fixedLines(template: string): readonly string[] {
  return linesOf(template).filter((line) => !/[{}]/.test(line));
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
