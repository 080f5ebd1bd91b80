/** A tool of an MCP server as the rest of the product sees it: `{server}_{tool}`, with the server's own schema. */
import type { CallToolResult, Tool as McpToolDescription } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { usualNotice } from "@voice/shared/tools/tool";
import type { Tool, ToolOutcome } from "@voice/shared/tools/tool";

/** What the models' own APIs allow for a name. */
const maxNameLength = 64;
const anyArguments = z.looseObject({});

/** In whose conversation a tool is called, and until when. */
export interface McpCaller {
  readonly sessionId: string;
  /** Undefined where nobody is known. */
  readonly customerId: string | undefined;
  readonly signal: AbortSignal;
}

export interface McpToolOptions {
  readonly server: string;
  readonly description: McpToolDescription;
  readonly timeoutMs: number;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>, caller: McpCaller) => Promise<CallToolResult>;
}

export function toMcpTool({ server, description, timeoutMs, call }: McpToolOptions): Tool {
  return {
    name: mcpToolName(server, description.name),
    description: description.description ?? description.title ?? description.name,
    // The server checks its own arguments and says what is wrong with them; a second opinion could only be wrong.
    parameters: anyArguments,
    jsonSchema: description.inputSchema,
    timeoutMs,
    onInterruption: description.annotations?.readOnlyHint === true ? "cancel" : "finish",
    slowNotice: usualNotice,
    run: async (args, context) =>
      toOutcome(
        await call(description.name, args, {
          sessionId: context.sessionId,
          customerId: context.customer?.id,
          signal: context.signal,
        }),
      ),
  };
}

export function mcpToolName(server: string, tool: string): string {
  return `${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxNameLength);
}

function toOutcome(result: CallToolResult): ToolOutcome {
  const text = result.content
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("\n")
    .trim();
  if (result.isError === true) return { result: { success: false, error: "tool_failed", message: text } };
  if (result.structuredContent !== undefined) return { result: { success: true, ...result.structuredContent } };
  return { result: { success: true, message: text } };
}
