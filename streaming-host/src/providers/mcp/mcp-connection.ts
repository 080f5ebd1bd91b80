/** One MCP server: connects, lists its tools, and reconnects when the connection is lost. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ToolListChangedNotificationSchema,
  CallToolResultSchema,
  type CallToolResult,
  ToolSchema,
  type Tool as McpToolDescription,
} from "@modelcontextprotocol/sdk/types.js";
import { backoffDelayMs } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { withinTime } from "@voice/shared/platform/within-time";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";
import { NotDoneError } from "@voice/shared/tools/not-done-error";
import { hideSecrets } from "@voice/shared/tools/hide-secrets";
import type { Tool } from "@voice/shared/tools/tool";
import { forVerifiedCallers } from "@voice/shared/tools/verified-caller";
import { connectionProblem } from "./connection-problem.ts";
import { isConnectionLost, isNotDone, isTimeout, refusedArguments } from "./mcp-failure.ts";
import { toMcpTool } from "./mcp-tool.ts";
import type { McpCaller } from "./mcp-tool.ts";
import type { McpTransport } from "./mcp-transport.ts";
import { z } from "zod";

export interface McpConnectionOptions {
  readonly name: string;
  /** The tools act only for a caller whose identity has been verified; for every caller if absent. */
  readonly needsVerifiedCaller?: boolean;
  /** Creates a new transport for every attempt, since they are single-use. */
  readonly createTransport: () => McpTransport;
  /** Values that were sent to the server and must not appear in a result; nothing if absent. */
  readonly given?: () => readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The server's tools have changed. */
  readonly onTools?: (() => void) | undefined;
  readonly random?: () => number;
  readonly connectTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 5000;
const callTimeoutMs = 8000;
/**
 * The conversation that a call belongs to, for servers that keep state per conversation. The protocol leaves such keys
 * to us.
 */
const sessionKey = "voice-agent-service/session_id";
const customerKey = "voice-agent-service/customer_id";
const lateReason = "no answer in time";
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
  /** A tool of this connection was called, so from now on the process's output may quote a caller. */
  #wasCalled = false;

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

  /** Resolves after the first attempt, whether or not it succeeded; later attempts run in the background. */
  async connect(): Promise<void> {
    if (this.#closed) return;
    const { name, createTransport, version, connectTimeoutMs: timeout = defaultConnectTimeoutMs } = this.#options;
    const client = new Client({ name: "voice-agent-service", version });
    this.#client = client;
    const { transport, lastWords } = createTransport();
    this.#lastWords = lastWords;
    this.#wasCalled = false;
    try {
      await this.#open(client, transport, timeout);
      if (this.#isOver(client)) return await client.close();
      // Registered before the first list is requested, which may be outdated when it arrives.
      client.setNotificationHandler(
        ToolListChangedNotificationSchema,
        oneAtATime(() => this.#refresh(client, timeout)),
      );
      await this.#listTools(client, timeout);
      if (this.#isOver(client)) return await client.close();
      Object.assign(client, { onclose: () => this.#lose(client, "the connection was closed") });
      this.#options.logger.info(
        { server: name, tools: this.#tools.size, failedAttempts: this.#attempt },
        "tool server connected",
      );
      this.#attempt = 0;
      this.#state = "connected";
      this.#error = undefined;
      this.#options.onTools?.();
    } catch (error) {
      this.#lose(client, reasonOf(error), error);
    }
  }

  /** The library's time limit covers only the first of its two messages. */
  async #open(client: Client, transport: McpTransport["transport"], timeout: number): Promise<void> {
    await withinTime(this.#options.clock, timeout, () => client.connect(transport, { timeout }), lateReason);
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
    const { name, needsVerifiedCaller = false, logger } = this.#options;
    const tools = new Map<string, Tool>();
    const call = async (
      toolName: string,
      args: Readonly<Record<string, unknown>>,
      caller: McpCaller,
    ): Promise<CallToolResult> => await this.#call(client, toolName, args, { ...caller, timeout: callTimeoutMs });
    const onUnreadable = (tool: string | undefined): void =>
      logger.warn({ server: name, tool }, "a server's tool is left out, because its description is not of MCP's form");
    for (const description of await listMcpTools(client, timeout, onUnreadable)) {
      const tool = toMcpTool(name, description, callTimeoutMs, call);
      if (tools.has(tool.name))
        logger.warn({ server: name, tool: tool.name }, "two tools of a server have one name for models");
      tools.set(tool.name, needsVerifiedCaller ? forVerifiedCallers(tool) : tool);
    }
    if (this.#isOver(client)) return;
    this.#tools = tools;
    // Until then the tools of a new connection are not visible to anybody.
    if (this.#state === "connected") this.#options.onTools?.();
  }

  async #call(
    client: Client,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { sessionId, customerId, signal, timeout }: McpCaller & { readonly timeout: number },
  ): Promise<CallToolResult> {
    // The caller's signal is also aborted when the call has ended, and the library would notify the server of that.
    const cancelled = new AbortController();
    const cancel = (): void => cancelled.abort(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    const limits = { signal: cancelled.signal, timeout };
    const _meta = { [sessionKey]: sessionId, ...(customerId !== undefined && { [customerKey]: customerId }) };
    this.#wasCalled = true;
    const withoutSecrets = (answer: CallToolResult): CallToolResult =>
      CallToolResultSchema.parse(JSON.parse(hideSecrets(JSON.stringify(answer), this.#options.given?.() ?? [])));
    try {
      const params = { name, arguments: { ...args }, _meta };
      return withoutSecrets(await client.request({ method: "tools/call", params }, CallToolResultSchema, limits));
    } catch (error) {
      if (signal.aborted) throw error;
      const refused = refusedArguments(error);
      if (refused !== undefined) return withoutSecrets(refused);
      if (isTimeout(error))
        throw new VoiceError("upstream_timeout", "the tool server did not answer", { cause: error });
      const isRefused = isNotDone(client, error);
      if (isConnectionLost(client, error)) this.#lose(client, "the connection was lost", error);
      if (isRefused)
        throw new NotDoneError("upstream_unavailable", "the tool server refused the call", { cause: error });
      throw new VoiceError("upstream_unavailable", "the tool server failed", { cause: error });
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  #lose(client: Client, reason: string, error?: unknown): void {
    if (this.#isOver(client)) return;
    this.#client = undefined;
    this.#tools = new Map();
    this.#state = "failed";
    const said = this.#wasCalled ? undefined : this.#lastWords();
    const before = this.#error;
    this.#error = said === undefined ? reason : `${reason}: ${said}`;
    const { clock, logger, name, random = Math.random } = this.#options;
    const told = { server: name, reason, said, attempt: this.#attempt, ...(error !== undefined && { error }) };
    // Logged once for as long as the server is unreachable for the same reason.
    if (this.#error === before) logger.debug(told, "tool server is still not connected");
    else logger.warn(told, "tool server is not connected");
    client.close().catch((closeError: unknown) => logger.debug({ server: name, error: closeError }, "close failed"));
    const delayMs = backoffDelayMs(this.#attempt++, reconnect, random());
    this.#cancelRetry = clock.setTimer(delayMs, () => void this.connect());
  }
}

/**
 * If it is called again while it runs, it runs once more afterwards: of two concurrent lists the older one could arrive last, and a server
 * that announces thousands of changes must not be sent as many requests at once.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}

function reasonOf(error: unknown): string {
  const isLate = isTimeout(error) || (error instanceof VoiceError && error.code === "upstream_timeout");
  return isLate ? lateReason : connectionProblem(error);
}

/** The most pages of a tool list, so that a server that never ends it is cut off. */
const maxToolPages = 20;
/** The library's own schema rejects the whole list because of one tool, and so does its check of the tools' output schemas. */
const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const named = z.object({ name: z.string() });

/** A tool that violates the protocol is left out; the others are available. */
async function listMcpTools(
  client: Client,
  timeoutMs: number,
  /** Called with the name of a tool that cannot be read; `undefined` if it does not even have a name. */
  onUnreadable: (tool: string | undefined) => void,
): Promise<readonly McpToolDescription[]> {
  const tools: McpToolDescription[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < maxToolPages; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: "tools/list", params }, page, { timeout: timeoutMs });
    for (const listedTool of listed.tools) {
      const tool = ToolSchema.safeParse(listedTool);
      if (tool.success) tools.push(tool.data);
      else onUnreadable(named.safeParse(listedTool).data?.name);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}
