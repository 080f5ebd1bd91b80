/** The folder that a setting names for a tool, which reads no other settings. Empty counts as not set, as in the service. */
import type { Environment } from "@voice/shared/config/load";

export function ownFolder(name: "CATALOG_DIR" | "TOOLS_DIR", environment: Environment): string | undefined {
  const folder = environment[name]?.trim();
  return folder === "" ? undefined : folder;
}
