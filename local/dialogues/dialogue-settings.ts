/** Dialogues are held as the product is without any setting, apart from the tools that one brings and what they may do. */
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

export function dialogueSettings(): Settings {
  const { TOOLS_DIR, MCP_SERVERS, TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS } = process.env;
  return loadSettings({ TOOLS_DIR, MCP_SERVERS, TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS });
}
