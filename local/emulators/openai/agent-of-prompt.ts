/**
 * Finds the agent behind a request: it carries the agent's rendered prompt, which shares the most lines with the
 * agent's own template.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import type { CompletionRequest } from "./completion-request.ts";
import type { AgentOfRequest } from "./model-responder.ts";

/** With less than this share of the template's lines, the prompt belongs to another agent. */
const leastShare = 0.5;
const result = z.object({ success: z.boolean() });
const nobody = { name: "", templateVars: {} };

export function agentOfPrompt(agents: readonly Agent[]): AgentOfRequest {
  const templates = agents.map((agent) => ({ agent, lines: knownLines(agent.prompt) }));
  return ({ messages }) => {
    const prompt = linesOf(messages.find(({ role }) => role === "system")?.content ?? "");
    let found: Agent | undefined;
    let best = leastShare;
    for (const { agent, lines } of templates) {
      const share = lines.filter((line) => prompt.some((rendered) => line.test(rendered))).length / lines.length;
      if (share > best) [found, best] = [agent, share];
    }
    return { agent: found ?? nobody, memory: memoryOf(messages) };
  };
}

/**
 * The service's memory is not part of a request, where a real model reads in the history that the caller was verified. The rules look for
 * it under this name, and would otherwise verify every caller again for each request.
 */
function memoryOf(messages: CompletionRequest["messages"]): Readonly<Record<string, unknown>> {
  const checks = new Set(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? (message.tool_calls ?? []).filter(({ function: { name } }) => name === "verify_identity").map(({ id }) => id)
        : [],
    ),
  );
  const isVerified = messages.some(
    (message) => message.role === "tool" && checks.has(message.tool_call_id) && hasSucceeded(message.content),
  );
  return isVerified ? { identity_verified: true } : {};
}

function hasSucceeded(resultJson: string): boolean {
  return result.safeParse(parseJson(resultJson)).data?.success === true;
}

/** A short prompt may have no line without a variable, so anything may stand where the template has one. */
function knownLines(template: string): readonly RegExp[] {
  return linesOf(template)
    .map((line) => line.split(/\{%.*%\}|\{\{.*?\}\}/))
    .filter((words) => /\p{L}/u.test(words.join("")))
    .map((words) => new RegExp(`^${words.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*")}$`));
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
