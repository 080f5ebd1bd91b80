/** The tools of an MCP server. A tool that violates the protocol is left out; the others are available. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolSchema, type Tool as McpToolDescription } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** The most pages of a tool list, so that a server that never ends it is cut off. */
const maxToolPages = 20;
/** The library's own schema rejects the whole list because of one tool, and so does its check of the tools' output schemas. */
const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const named = z.object({ name: z.string() });

export async function listMcpTools(
  client: Client,
  timeoutMs: number,
  /** `undefined` if it does not even have a name. */
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
