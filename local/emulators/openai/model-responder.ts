/** Lets any `LanguageModel`, such as the local rule model, answer behind the emulated endpoint. */
import { readNotUnderstoodMessage } from "@voice/shared/conversation/not-understood";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { LanguageModel, ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { CompletionRequest } from "./completion-request.ts";
import type { Responder } from "./emulator.ts";

/** What a request does not contain: which agent it is for, and the memory that a local model needs. */
export type AgentOfRequest = (request: CompletionRequest) => Pick<ModelRequest, "agent" | "memory">;

export function createModelResponder(model: LanguageModel, agentOf: AgentOfRequest): Responder {
  return async (request, signal) => {
    const ordered = orderedTool(request);
    if (ordered !== undefined) return { kind: "completion", text: [], toolCalls: [ordered] };
    const text: string[] = [];
    const toolCalls: ToolCall[] = [];
    let finish: "stop" | "length" | "content_filter" = "stop";
    for await (const event of model.stream(toModelRequest(request, agentOf), signal)) {
      if (event.type === "text-delta") text.push(event.text);
      if (event.type === "tool-call") toolCalls.push(event.call);
      if (event.type === "finished" && event.reason === "length") finish = "length";
      if (event.type === "finished" && event.reason === "content-filter") finish = "content_filter";
    }
    return { kind: "completion", text, toolCalls, ...(finish !== "stop" && { finish }) };
  };
}

/** A message that names a tool is an instruction to call it, because callers never say a tool's name. */
function orderedTool({ messages, tools = [], tool_choice: choice }: CompletionRequest): ToolCall | undefined {
  if (choice === "none") return undefined;
  const last = messages.at(-1);
  const tool = last?.role === "user" ? tools.find(({ function: { name } }) => last.content.includes(name)) : undefined;
  return tool === undefined ? undefined : { id: "ordered", name: tool.function.name, argumentsJson: "{}" };
}

function toModelRequest(request: CompletionRequest, agentOf: AgentOfRequest): ModelRequest {
  const names = new Map<string, string>();
  return {
    ...agentOf(request),
    messages: request.messages.map((message) => toModelMessage(message, names)),
    tools: (request.tools ?? []).map(({ function: { name, description = "", parameters = {} } }) => ({
      name,
      description,
      parameters,
    })),
    ...(request.tool_choice === "none" && { toolChoice: "none" }),
    settings: { deploymentId: request.model, temperature: request.temperature, topP: request.top_p },
  };
}

/** Tool messages carry only the call's id; `names` maps it to the tool that was called. */
function toModelMessage(message: CompletionRequest["messages"][number], names: Map<string, string>): ModelMessage {
  switch (message.role) {
    case "assistant": {
      const toolCalls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: argumentsJson } }) => {
        names.set(id, name);
        return { id, name, argumentsJson };
      });
      return { role: "assistant", content: message.content ?? "", ...(toolCalls.length > 0 && { toolCalls }) };
    }
    case "tool": {
      const { tool_call_id: toolCallId, content } = message;
      return { role: "tool", toolCallId, name: names.get(toolCallId) ?? "", content };
    }
    case "user": {
      const remark = readNotUnderstoodMessage(message.content);
      return remark === undefined ? message : { ...message, understood: false, guess: remark.guess };
    }
    case "system":
      return message;
    default:
      return message satisfies never;
  }
}
