/** A conversation with the rules of a test: what was said, and what the agent says and does next. */
import type { LanguageModel, ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { AgentRules } from "../rules/rules.ts";
import { createRuleModel } from "./rule-model.ts";

export const user = (content: string): ModelMessage => ({ role: "user", content });
export const agent = (content: string): ModelMessage => ({ role: "assistant", content });

/** The agent has called a tool, which succeeded unless the result says otherwise. */
export const ran = (name: string, result: object = {}): readonly ModelMessage[] => [
  { role: "assistant", content: "", toolCalls: [{ id: "call-1", name, argumentsJson: "{}" }] },
  { role: "tool", toolCallId: "call-1", name, content: JSON.stringify({ success: true, ...result }) },
];

export interface RuleConversation {
  /** The text of the answer to these messages, with the calls of tools in it: `A moment. [block {"card":"debit"}]`. */
  answer(...messages: readonly ModelMessage[]): Promise<string>;
  answerKnowing(memory: ModelRequest["memory"], messages: readonly ModelMessage[]): Promise<string>;
}

export function talkTo(
  rules: AgentRules,
  options: {
    readonly agentName?: string;
    readonly tools?: readonly string[];
    readonly memory?: ModelRequest["memory"];
    readonly previousAgent?: string;
  } = {},
): RuleConversation {
  const { agentName = "desk", tools = [], memory = {}, previousAgent } = options;
  const model: LanguageModel = createRuleModel({
    clock: new VirtualClock(Date.UTC(2026, 2, 21)),
    rulesOf: () => rules,
    createCallId: () => "call-1",
  });
  async function answerKnowing(known: ModelRequest["memory"], messages: readonly ModelMessage[]): Promise<string> {
    const request: ModelRequest = {
      agent: { name: agentName, templateVars: {} },
      messages,
      tools: tools.map((name) => ({ name, description: "", parameters: {} })),
      memory: known,
      previousAgent,
      settings: { deploymentId: "local" },
    };
    let text = "";
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.type === "text-delta") text += event.text;
      if (event.type === "tool-call") text += ` [${event.call.name} ${event.call.argumentsJson}]`.replace(" {}", "");
    }
    return text.trim();
  }
  return { answerKnowing, answer: (...messages) => answerKnowing(memory, messages) };
}
