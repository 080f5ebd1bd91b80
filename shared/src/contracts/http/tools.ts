/** The tools that an agent may have. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const tool = z
  .object({
    name: z.string(),
    description: z.string().describe("What models are told of it."),
    changes_something: z.boolean().describe("It leaves something behind that must not be done twice."),
  })
  .meta({ id: "Tool" });

export const toolList = z
  .object({
    tools: z.array(tool).describe("By name."),
    tool_servers: z
      .array(z.string())
      .describe(
        "MCP servers, whose tools are called `{server}_{tool}` and are known only to the hosts that are connected to them.",
      ),
  })
  .meta({ id: "ToolList" });

export const listTools = defineEndpoint({
  name: "toolsList",
  at: "GET /tools",
  access: "client",
  summary: "The tools that an agent may have",
  responses: { 200: { description: "Those of the service, of TOOLS_DIR and of the catalog.", schema: toolList } },
});
