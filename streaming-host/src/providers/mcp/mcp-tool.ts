/**
 * Adapts a tool of an MCP server to our tool interface: it is named `{server}_{tool}` and keeps the server's schema.
 */
import type { CallToolResult, Tool as McpToolDescription } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { usualNotice } from "@voice/shared/tools/tool";
import type { Tool, ToolOutcome } from "@voice/shared/tools/tool";

/** The names that the models' APIs allow. */
const maxNameLength = 64;
const anyArguments = z.looseObject({});

/** The conversation that a tool is called for, and the deadline. */
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
    // The server validates its own arguments and says what is wrong with them, so we do not validate them again.
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
