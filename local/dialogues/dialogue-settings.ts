/** Dialogues run with the default settings, except those that add your own tools and say what they may do. */
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

export function dialogueSettings(): Settings {
  const { TOOLS_DIR, MCP_SERVERS, TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS } = process.env;
  return loadSettings({ TOOLS_DIR, MCP_SERVERS, TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS });
}
