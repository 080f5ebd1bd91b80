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

/** Callers share the service's processor: that its loop is late does not mean that it has too many of them. */
const farTooLateMs = "60000";

export function dialogueSettings(): Settings {
  const given = Object.fromEntries(taken.map((name) => [name, process.env[name]]));
  return loadSettings({ ...given, MAX_EVENT_LOOP_DELAY: farTooLateMs });
}
