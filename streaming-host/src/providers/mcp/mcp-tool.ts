/**
 * Adapts a tool of an MCP server to our tool interface: it is named `{server}_{tool}` and keeps the server's schema.
 */
import type { CallToolResult, Tool as McpToolDescription } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { parseJson } from "@voice/shared/platform/parse-json";
import { faulted, succeeded } from "@voice/shared/tools/outcome";
import { usualNotice } from "@voice/shared/tools/tool";
import type { Tool, ToolOutcome } from "@voice/shared/tools/tool";

/** The names that the models' APIs allow. */
const maxNameLength = 64;
const anyArguments = z.looseObject({});

/** The conversation for which a tool is called, and the deadline. */
export interface McpCaller {
  readonly sessionId: string;
  /** Undefined if the customer is not known. */
  readonly customerId: string | undefined;
  readonly signal: AbortSignal;
}

export function toMcpTool(
  server: string,
  description: McpToolDescription,
  timeoutMs: number,
  call: (name: string, args: Readonly<Record<string, unknown>>, caller: McpCaller) => Promise<CallToolResult>,
): Tool {
  return {
    name: mcpToolName(server, description.name),
    description: description.description ?? description.title ?? description.name,
    // The server validates its own arguments and says what is wrong with them, so we do not validate them again.
    parameters: anyArguments,
    jsonSchema: description.inputSchema,
    timeoutMs,
    onInterruption: description.annotations?.readOnlyHint === true ? "cancel" : "finish",
    hasUnknownEffect: description.annotations?.readOnlyHint === undefined,
    isIdempotent: description.annotations?.idempotentHint === true,
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

function toOutcome({ content, isError, structuredContent }: CallToolResult): ToolOutcome {
  const texts = content.flatMap(wordsOf);
  const text = texts.join("\n").trim();
  // MCP-8: most servers write their results as JSON into a text, which would be encoded once more within ours.
  const written = texts.map(parseJson);
  const isJson = written.length > 0 && written.every((value) => typeof value === "object" && value !== null);
  if (isError === true) {
    if (isJson)
      return faulted("tool_failed", "It failed; the answer says why.", { result: { answer: oneOrAll(written) } });
    return faulted("tool_failed", text === "" ? "It gave no reason." : text);
  }
  if (structuredContent !== undefined) return succeeded(structuredContent);
  if (isJson) {
    const answer = oneOrAll(written);
    return succeeded(isPlainObject(answer) ? answer : { answer });
  }
  const wordless = content.filter((part) => wordsOf(part).length === 0).map(({ type }) => type);
  // Given a success without any text, a model would make up what the picture shows.
  if (text === "" && wordless.length > 0)
    return succeeded({ message: `The answer has no words, only this: ${wordless.join(", ")}.` });
  return succeeded({ message: text });
}

function oneOrAll(values: readonly unknown[]): unknown {
  return values.length === 1 ? values[0] : values;
}

function wordsOf(part: CallToolResult["content"][number]): readonly string[] {
  if (part.type === "text") return [part.text];
  if (part.type === "resource") return "text" in part.resource ? [part.resource.text] : [];
  if (part.type === "resource_link") return [[part.title ?? part.name, part.description ?? []].flat().join(": ")];
  return [];
}
