/** The only place of the streaming host that reads the environment. */
import { loadSettings } from "@voice/shared/config/load";
import type { Settings } from "@voice/shared/config/settings";

export function readSettings(): Settings {
  return loadSettings(process.env);
}
