/**
 * Tools for a server that does not support them: the prompt describes them, and calls and results are text, in the notation of the Hermes
 * models, which most other models know as well (the chat templates of Hermes 2 Pro and Qwen 2.5). Pure.
 */
import { callsOf } from "./wire-request.ts";
import type { WireMessage, WireRequest, WireTool } from "./wire-request.ts";

export function withToolsAsText(request: WireRequest): WireRequest {
  const { tools } = request;
  if (tools === undefined) return request;
  const messages = request.messages.map(inText);
  const [prompt, ...rest] = messages;
  const mayCall = request["tool_choice"] !== "none";
  const description = mayCall ? describe(tools) : "You have no tools in this answer.";
  return {
    ...request,
    tools: undefined,
    tool_choice: undefined,
    parallel_tool_calls: undefined,
    messages:
      prompt?.role === "system"
        ? [{ role: "system", content: `${prompt.content}\n\n${description}` }, ...rest]
        : [{ role: "system", content: description }, ...messages],
  };
}

function describe(tools: readonly WireTool[]): string {
  return [
    "# Tools",
    "These are the tools that you can call:",
    ...tools.map((tool) => JSON.stringify(tool.function)),
    "To call one, answer with nothing but its name and its arguments, as JSON between these tags:",
    '<tool_call>\n{"name": "the name of the tool", "arguments": {}}\n</tool_call>',
    "Its result comes next, between <tool_response> and </tool_response>. Nothing is done without a call.",
  ].join("\n");
}

function inText(message: WireMessage): WireMessage {
  if (message.role === "tool")
    return { role: "user", content: `<tool_response>\n${message.content}\n</tool_response>` };
  const calls = callsOf(message);
  if (calls.length === 0) return message;
  const words = message.content ?? "";
  const written = calls.map(
    ({ function: { name, arguments: args } }) =>
      `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
  );
  return { role: "assistant", content: [words, ...written].join("\n").trim() };
}
