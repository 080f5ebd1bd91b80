/** The tools that come with the service. Your own are in TOOLS_DIR, in the catalog (HTTP) and on MCP servers. */
import { endCall, escalateHuman, holdCall, pressKeys, transferCall } from "./service/call-control.ts";
import { createToolRegistry, type ToolRegistry } from "./tool-registry.ts";

export const builtInTools: ToolRegistry = createToolRegistry([
  escalateHuman,
  transferCall,
  holdCall,
  pressKeys,
  endCall,
]);
