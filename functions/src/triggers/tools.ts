/** The tools that an agent may have. */
import { listTools } from "@voice/shared/contracts/http/tools";
import { hasLastingEffect } from "@voice/shared/tools/tool";
import { answer, type Route } from "../http/route.ts";

export const toolRoutes: readonly Route[] = [
  answer(listTools)((_input, { knownTools }) => {
    const tools = [...knownTools.tools].map(
      ([name, { description = "", onInterruption = "finish", isRepeatable }]) => ({
        name,
        description,
        changes_something: hasLastingEffect({ onInterruption, isRepeatable }),
      }),
    );
    const byName = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return Promise.resolve({ tools: byName, tool_servers: [...knownTools.mcpServers] });
  }),
];
