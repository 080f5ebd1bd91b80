/** Dialogues run with the default settings, except those that choose agents and tools and say what the tools may do. */
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

const taken = [
  "CATALOG_DIR",
  "DEMO_ENABLED",
  "DEMO_CUSTOMERS",
  "TOOLS_DIR",
  "MCP_SERVERS",
  "TOOL_HOSTS",
  "TOOL_PRIVATE_HOSTS",
  "TOOL_SECRETS",
];

export function dialogueSettings(): Settings {
  return loadSettings(Object.fromEntries(taken.map((name) => [name, process.env[name]])));
}
