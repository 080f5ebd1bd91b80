/** Dialogues are held as the product is without any setting, apart from what the catalog's own tools may do. */
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

export function dialogueSettings(): Settings {
  const { TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS } = process.env;
  return loadSettings({ TOOL_HOSTS, TOOL_PRIVATE_HOSTS, TOOL_SECRETS });
}
