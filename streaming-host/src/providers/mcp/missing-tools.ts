/** Tools of agents that a connected server does not have: misspelt, or gone from the server. Pure. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";

/** Of a server that is away nothing is known. */
export function missingTools(
  agents: Iterable<Pick<Agent, "tools">>,
  servers: readonly McpServerStatus[],
  exists: (tool: string) => boolean,
): readonly string[] {
  const prefixes = servers.filter(({ state }) => state === "connected").map(({ name }) => `${name}_`);
  const listed = new Set([...agents].flatMap(({ tools }) => tools));
  return [...listed].filter((tool) => !exists(tool) && prefixes.some((prefix) => tool.startsWith(prefix))).toSorted();
}
