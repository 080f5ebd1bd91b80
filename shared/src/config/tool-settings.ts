/** Tools beyond the built-in ones, and their limits. */
import { flag, hostWithPort, integer, listOf, text } from "./kinds.ts";
import { mcpServerList } from "./mcp-servers.ts";
import { defaulted, optional, secret } from "./setting.ts";
import { toolSecrets } from "./tool-secrets.ts";

export const toolSettings = {
  mcpServers: defaulted(
    "MCP_SERVERS",
    mcpServerList,
    "",
    "Tool servers (Model Context Protocol) whose tools agents may use, over HTTP or as child processes.",
  ),
  toolsDir: optional(
    "TOOLS_DIR",
    text,
    "Folder of tools that are code (and of customers, perhaps): TypeScript or JavaScript modules that use `@voice/tool-kit`; the functions app and the streaming hosts must see the same one.",
  ),
  sessionAgentTools: optional(
    "SESSION_AGENT_TOOLS",
    listOf(text),
    "Tools that change something, or come from tool servers, and that agents made by request (`POST /agents`) may have all the same: names, `shop_*` for what begins so, or `any`. They run with arguments of the client's choice and with the service's own keys. If not set: none, except in development, where it is `any`. The service's own tools, such as transfers, are open to every agent, and operators may give theirs any tool.",
  ),
  demoEnabled: optional(
    "DEMO_ENABLED",
    flag,
    "Whether the demonstration's agents and tools are there. If not set, they are, except with `CATALOG_DIR` or `ENVIRONMENT=production`.",
  ),
  demoCustomers: optional(
    "DEMO_CUSTOMERS",
    flag,
    "Whether tools act for the demonstration's generated customers if TOOLS_DIR defines none. If not set, they do where the demonstration is on.",
  ),
  toolHosts: defaulted(
    "TOOL_HOSTS",
    listOf(hostWithPort),
    "",
    "Hosts that the HTTP tools of the catalog may call, over https and at public addresses only.",
  ),
  toolPrivateHosts: defaulted(
    "TOOL_PRIVATE_HOSTS",
    listOf(hostWithPort),
    "",
    "Hosts that HTTP tools may call at private and loopback addresses as well, and over plain http.",
  ),
  toolSecrets: secret(
    "TOOL_SECRETS",
    toolSecrets,
    "What the headers of HTTP tools, and the headers and environment of tool servers, may name as `{{ secrets.NAME }}`: keys and tokens of the services that they call.",
  ),
  toolResultLimit: defaulted(
    "TOOL_RESULT_LIMIT",
    integer(500, 1_000_000),
    "8000",
    "Longest result of a tool, in characters of JSON; a longer result is cut everywhere: for the model, for watchers and in the store.",
  ),
};
