/** One MCP server: connected, its tools listed, and connected again when it goes away. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ErrorCode as McpErrorCode,
  McpError,
  ToolListChangedNotificationSchema,
  CallToolResultSchema,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import { backoffDelayMs } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import type { Tool } from "@voice/shared/tools/tool";
import { isAccessProblem } from "./mcp-access.ts";
import { toMcpTool } from "./mcp-tool.ts";
import type { McpCaller } from "./mcp-tool.ts";
import type { McpTransport } from "./mcp-transport.ts";

export interface McpConnectionOptions {
  readonly name: string;
  /** A fresh transport for every attempt: they are single use. */
  readonly createTransport: () => McpTransport;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random?: () => number;
  readonly connectTimeoutMs?: number;
  readonly callTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 5000;
const defaultCallTimeoutMs = 8000;
/** Pages of a tool list; a server that never stops is cut off. */
const maxToolPages = 20;
/** JSON-RPC error codes that the SDK gives to what happens on the way. */
const connectionClosed: number = McpErrorCode.ConnectionClosed;
const requestTimeout: number = McpErrorCode.RequestTimeout;
/** Whose conversation a call belongs to, for servers that keep something for it. The protocol leaves such keys to us. */
const sessionKey = "voice-agent-service/session_id";
const customerKey = "voice-agent-service/customer_id";
const reconnect = { maxAttempts: Number.POSITIVE_INFINITY, backoffFactor: 2, jitter: true } as const;

export class McpConnection {
  readonly #options: McpConnectionOptions;
  #client: Client | undefined;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #state: McpServerStatus["state"] = "connecting";
  #error: string | undefined;
  #attempt = 0;
  #cancelRetry: () => void = () => undefined;
  #closed = false;
  #lastWords: McpTransport["lastWords"] = () => undefined;

  constructor(options: McpConnectionOptions) {
    this.#options = options;
  }

  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  get status(): McpServerStatus {
    const { name } = this.#options;
    return { name, state: this.#state, toolsCount: this.#tools.size, error: this.#error };
  }

  /** Resolves after the first attempt, whether it succeeded or not; the others go on in the background. */
  async connect(): Promise<void> {
    if (this.#closed) return;
    const { name, createTransport, version, connectTimeoutMs: timeout = defaultConnectTimeoutMs } = this.#options;
    const client = new Client({ name: "voice-agent-service", version });
    this.#client = client;
    const { transport, lastWords } = createTransport();
    this.#lastWords = lastWords;
    try {
      await client.connect(transport, { timeout });
      if (this.#isOver(client)) return await client.close();
      await this.#listTools(client, timeout);
      if (this.#isOver(client)) return await client.close();
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#refresh(client, timeout));
      Object.assign(client, { onclose: () => this.#lose(client, "the connection was closed") });
      this.#options.logger.info(
        { server: name, tools: this.#tools.size, failedAttempts: this.#attempt },
        "tool server connected",
      );
      this.#attempt = 0;
      this.#state = "connected";
      this.#error = undefined;
    } catch (error) {
      this.#lose(client, reasonOf(error), error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    const client = this.#client;
    this.#client = undefined;
    this.#tools = new Map();
    await client?.close();
  }

  #isOver(client: Client): boolean {
    return this.#closed || this.#client !== client;
  }

  async #refresh(client: Client, timeout: number): Promise<void> {
    try {
      await this.#listTools(client, timeout);
    } catch (error) {
      this.#lose(client, "its tools could not be listed", error);
    }
  }

  async #listTools(client: Client, timeout: number): Promise<void> {
    const { name, callTimeoutMs: timeoutMs = defaultCallTimeoutMs } = this.#options;
    const tools = new Map<string, Tool>();
    let cursor: string | undefined;
    for (let page = 0; page < maxToolPages; page++) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout });
      for (const description of listed.tools) {
        const call = async (
          toolName: string,
          args: Readonly<Record<string, unknown>>,
          caller: McpCaller,
        ): Promise<CallToolResult> => await this.#call(client, toolName, args, { ...caller, timeout: timeoutMs });
        const tool = toMcpTool({ server: name, description, timeoutMs, call });
        tools.set(tool.name, tool);
      }
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    this.#tools = tools;
  }

  async #call(
    client: Client,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { sessionId, customerId, signal, timeout }: McpCaller & { readonly timeout: number },
  ): Promise<CallToolResult> {
    // The caller's signal is aborted as well when the call is over, and the library would tell the server of that.
    const calledOff = new AbortController();
    const callOff = (): void => calledOff.abort(signal.reason);
    signal.addEventListener("abort", callOff, { once: true });
    const limits = { signal: calledOff.signal, timeout };
    const _meta = { [sessionKey]: sessionId, ...(customerId !== undefined && { [customerKey]: customerId }) };
    try {
      return CallToolResultSchema.parse(
        await client.callTool({ name, arguments: { ...args }, _meta }, undefined, limits),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      if (isTimeout(error))
        throw new VoiceError("upstream_timeout", "the tool server did not answer", { cause: error });
      // The server refused this call and is alive; anything else means that nobody is there.
      if (!(error instanceof McpError) || error.code === connectionClosed)
        this.#lose(client, "the connection was lost", error);
      throw new VoiceError("upstream_unavailable", "the tool server failed", { cause: error });
    } finally {
      signal.removeEventListener("abort", callOff);
    }
  }

  #lose(client: Client, reason: string, error?: unknown): void {
    if (this.#isOver(client)) return;
    this.#client = undefined;
    this.#tools = new Map();
    this.#state = "failed";
    const said = this.#lastWords();
    const before = this.#error;
    this.#error = said === undefined ? reason : `${reason}: ${said}`;
    const { clock, logger, name, random = Math.random } = this.#options;
    const told = { server: name, reason, error, said, attempt: this.#attempt };
    // One line for as long as it stays away for the same reason.
    if (this.#error === before) logger.debug(told, "tool server is still not connected");
    else logger.warn(told, "tool server is not connected");
    client.close().catch((closeError: unknown) => logger.debug({ server: name, error: closeError }, "close failed"));
    const delayMs = backoffDelayMs(this.#attempt++, reconnect, random());
    this.#cancelRetry = clock.setTimer(delayMs, () => void this.connect());
  }
}

function reasonOf(error: unknown): string {
  if (isTimeout(error)) return "no answer in time";
  return isAccessProblem(error) ? "it was given no token that it accepts" : "could not connect";
}

function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === requestTimeout;
}
