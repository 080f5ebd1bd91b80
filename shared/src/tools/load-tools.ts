/** The tools of this process that are written in code: those that ship with the service, and those in TOOLS_DIR. */
import type { Settings } from "../config/settings.ts";
import { builtInTools } from "./built-in-tools.ts";
import type { CodeParts, OwnCode } from "./code/load-code.ts";

/**
 * Throws a `ConfigurationError` if something in the folder is wrong. The loader is imported only if a folder is
 * configured.
 */
export async function loadTools({ toolsDir }: Pick<Settings, "toolsDir">, parts: CodeParts): Promise<OwnCode> {
  if (toolsDir === undefined) return { tools: builtInTools, customers: undefined };
  const { loadCode } = await import("./code/load-code.ts");
  const own = await loadCode(toolsDir, { builtIn: builtInTools, ...parts });
  return { tools: new Map([...builtInTools, ...own.tools]), customers: own.customers };
}
