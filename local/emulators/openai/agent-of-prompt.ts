/** Which agent asks: the wire carries its rendered prompt, and each agent's begins in its own words. */
import type { Agent } from "@voice/shared/catalog/agent";
import { noRules } from "@voice/shared/catalog/rules";
import type { AgentOfRequest } from "./model-responder.ts";

export function agentOfPrompt(agents: readonly Agent[]): AgentOfRequest {
  const beginnings = agents
    .map((agent) => ({ agent, beginning: agent.prompt.split("{{", 1)[0]?.trim() ?? "" }))
    .filter(({ beginning }) => beginning !== "")
    .toSorted((left, right) => right.beginning.length - left.beginning.length);
  return ({ messages }) => {
    const prompt = messages.find(({ role }) => role === "system")?.content ?? "";
    const agent = beginnings.find(({ beginning }) => prompt.startsWith(beginning))?.agent;
    return { agent: agent?.name ?? "", rules: agent?.rules ?? noRules, memory: {} };
  };
}
