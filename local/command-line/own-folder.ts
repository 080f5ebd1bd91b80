/** The folder that a setting names for a tool, which reads no other settings. Empty counts as not set, as in the service. */
export function ownFolder(
  name: "CATALOG_DIR" | "TOOLS_DIR",
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folder = environment[name]?.trim();
  return folder === "" ? undefined : folder;
}
