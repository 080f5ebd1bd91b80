/** Tools of agents that a connected server does not have: misspelt, or removed from the server. Pure. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { McpServerStatus } from "@voice/shared/state/ports/host-registry";

/**
 * MCP-4: includes tools of a server that connected later, or whose tools have changed; each is reported once for as long as it is missing.
 */
export function findMissingTools(exists: (tool: string) => boolean): (...now: Now) => readonly string[] {
  let named: readonly string[] = [];
  return (agents, servers) => {
    // Nothing is known about the tools of a server that is not connected.
    const connected = servers.filter(({ state }) => state === "connected").map(({ name }) => name);
    const found = missingTools(agents, connected, exists).filter((tool) => !named.includes(tool));
    named = [...named, ...found].filter((tool) => !exists(tool));
    return found;
  };
}

type Now = [agents: Iterable<Pick<Agent, "tools">>, servers: readonly McpServerStatus[]];

/** `servers`: the names of the tool servers that have listed their tools. */
export function missingTools(
  agents: Iterable<Pick<Agent, "tools">>,
  servers: readonly string[],
  exists: (tool: string) => boolean,
): readonly string[] {
  const prefixes = servers.map((name) => `${name}_`);
  const listed = new Set([...agents].flatMap(({ tools }) => tools));
  return [...listed].filter((tool) => !exists(tool) && prefixes.some((prefix) => tool.startsWith(prefix))).toSorted();
}
