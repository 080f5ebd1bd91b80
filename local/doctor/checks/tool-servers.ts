/** Each tool server of MCP_SERVERS: connects as a host does, and looks for the tools that agents list. */
import { missingTools } from "@voice/streaming-host/providers/mcp/missing-tools";
import { askToolServer } from "../../tool-servers.ts";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";

export function toolServerChecks({ settings, catalog }: DoctorContext): Check[] {
  return settings.mcpServers.map((server) => {
    const { name } = server;
    const advice =
      "command" in server
        ? `the command of ${name} in MCP_SERVERS has to start a server of MCP here that answers on its standard output`
        : `the url of ${name} in MCP_SERVERS has to be one of MCP's streamable HTTP, its headers or oauth must let us in`;
    return {
      name: `tool server ${name}`,
      advice,
      async run() {
        const { offered, problem } = await askToolServer(server, settings.toolSecrets ?? new Map());
        if (offered === undefined) throw new CheckFailure(problem, advice);
        const missing = missingTools(catalog.agents.values(), [name], (tool) => tool in offered);
        if (missing.length > 0)
          throw new CheckFailure(
            `has no ${missing.map((tool) => tool.slice(name.length + 1)).join(", ")}`,
            "correct the names under tools in the agents' agent.yaml; npm run catalog:check shows where",
          );
        const { length } = Object.keys(offered);
        return `has ${length} tool${length === 1 ? "" : "s"}`;
      },
    };
  });
}
