/** The meaning of a failed tool call for the model and for the connection. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError, type CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { VoiceError } from "@voice/shared/platform/errors";

const requestTimeout: number = ErrorCode.RequestTimeout;
const invalidParams: number = ErrorCode.InvalidParams;
/** The server has not understood the message (JSON-RPC 2.0, section 5.1). */
const refusals: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
]);
/** Too slow to send, too long, cannot be processed, one too many. */
const ofOneRequest = new Set([408, 413, 422, 429]);

export function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === requestTimeout;
}

/**
 * A server that responds at all is alive: the library's code for a closed connection (-32000) is also used by servers for any failure of
 * their own, and a result that violates the protocol concerns one tool only.
 */
export function isConnectionLost(client: Client, error: unknown): boolean {
  if (client.transport === undefined) return true;
  return !(error instanceof McpError) && !isUnreadableResult(error) && !isOfOneCall(error);
}

/**
 * Over HTTP each call is a separate request, which a server may fail at (5xx) or find too long without having lost the others. With 400 and
 * 404 servers report that they no longer know the session, with 401 and 403 that access is denied altogether.
 */
function isOfOneCall(error: unknown): boolean {
  if (error instanceof VoiceError) return true;
  // A result that is nested thousands of levels deep cannot be converted to JSON again, because that would exhaust the stack.
  if (error instanceof RangeError) return true;
  if (!(error instanceof StreamableHTTPError)) return false;
  const { code: status = 0 } = error;
  return status >= 500 || ofOneRequest.has(status);
}

/** TOOL-4: the tool was not run. Any other failure may have come after it ran. */
export function isNotDone(client: Client, error: unknown): boolean {
  if (client.transport === undefined || isOfConnecting(error)) return true;
  if (error instanceof McpError) return refusals.has(error.code);
  if (!(error instanceof StreamableHTTPError)) return false;
  const { code: status = 0 } = error;
  return status >= 400 && status < 500;
}

/** The system calls that precede sending; the library passes on the error of `fetch`, whose cause names them. */
function isOfConnecting(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const syscall = typeof cause === "object" && cause !== null && "syscall" in cause ? cause.syscall : undefined;
  return syscall === "connect" || syscall === "getaddrinfo";
}

function isUnreadableResult(error: unknown): boolean {
  return error instanceof Error && "issues" in error;
}

/** The problem with the arguments, which the model can correct. Some servers report it as an error, others as a result. */
export function refusedArguments(error: unknown): CallToolResult | undefined {
  if (!(error instanceof McpError) || error.code !== invalidParams) return undefined;
  return { isError: true, content: [{ type: "text", text: error.message.replace(/^MCP error -?\d+: /, "") }] };
}
