/** What a failed call of a tool means: for the model, and for the connection. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";

const requestTimeout: number = ErrorCode.RequestTimeout;
const invalidParams: number = ErrorCode.InvalidParams;

export function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === requestTimeout;
}

/**
 * A server that answers is alive, whatever it answers: the library's code for a closed connection (-32000) is also the
 * one that servers use for any failure of their own, and a result that is not of the protocol's form is one tool's.
 */
export function isConnectionLost(client: Client, error: unknown): boolean {
  if (client.transport === undefined) return true;
  return !(error instanceof McpError) && !isUnreadableResult(error);
}

function isUnreadableResult(error: unknown): boolean {
  return error instanceof Error && "issues" in error;
}

/** What is wrong with the arguments, which the model can mend; some servers say it as an error, others as a result. */
export function refusedArguments(error: unknown): CallToolResult | undefined {
  if (!(error instanceof McpError) || error.code !== invalidParams) return undefined;
  return { isError: true, content: [{ type: "text", text: error.message.replace(/^MCP error -?\d+: /, "") }] };
}
