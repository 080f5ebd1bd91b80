/** The tools of this process that are code: those that ship with the service, and those of TOOLS_DIR. */
import type { Settings } from "../config/settings.ts";
import { builtInTools } from "./built-in-tools.ts";
import type { CodeParts, OwnCode } from "./code/load-code.ts";

/** Throws a `ConfigurationError` where something in the folder is wrong. What loads code is read only where there is a folder. */
export async function loadTools({ toolsDir }: Pick<Settings, "toolsDir">, parts: CodeParts): Promise<OwnCode> {
  if (toolsDir === undefined) return { tools: builtInTools, customers: undefined };
  const { loadCode } = await import("./code/load-code.ts");
  const own = await loadCode(toolsDir, { builtIn: builtInTools, ...parts });
  return { tools: new Map([...builtInTools, ...own.tools]), customers: own.customers };
}
