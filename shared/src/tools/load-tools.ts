/**
 * The tools of this process that are written in code: those that come with the service, those of the demonstration where it is
 * on, and those in TOOLS_DIR.
 */
import type { Settings } from "../config/settings.ts";
import { demoToolsDir, hasDemo } from "../demo/demo.ts";
import { builtInTools } from "./built-in-tools.ts";
import type { CodeParts } from "./code/code-parts.ts";
import type { OwnCode } from "./code/load-code.ts";
import { describeThrownFor } from "./code/describe-thrown.ts";

type ToolSettings = Pick<Settings, "toolsDir" | "catalogDir" | "demoEnabled" | "environment" | "telemetry">;

/**
 * Throws a `ConfigurationError` if something in a folder is wrong. The loader is imported only if there is a folder to load.
 */
export async function loadTools(settings: ToolSettings, parts: CodeParts): Promise<OwnCode> {
  const { toolsDir } = settings;
  const folders = [
    ...(hasDemo(settings) ? [{ setting: "DEMO_ENABLED", folder: demoToolsDir }] : []),
    ...(toolsDir === undefined ? [] : [{ setting: "TOOLS_DIR", folder: toolsDir }]),
  ];
  let loaded: OwnCode = { tools: builtInTools, customers: undefined };
  if (folders.length === 0) return loaded;
  const { loadCode } = await import("./code/load-code.ts");
  for (const { folder, setting } of folders) {
    const { tools, customers } = await loadCode(folder, {
      ...parts,
      words: describeThrownFor(settings),
      setting,
      taken: loaded.tools,
    });
    loaded = { tools: new Map([...loaded.tools, ...tools]), customers };
  }
  return loaded;
}
