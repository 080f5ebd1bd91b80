/**
 * Checks at start-up that the settings allow the hosts that the catalog's HTTP tools use, so that it does not fail
 * during a call.
 */
import { ConfigurationError } from "../config/configuration-error.ts";
import { hostOfHttpTool, secretsOfHttpTool, type HttpTool } from "./http-tool.ts";

export interface HttpToolSettings {
  readonly toolHosts: readonly string[];
  readonly toolPrivateHosts: readonly string[];
  readonly toolSecrets?: ReadonlyMap<string, string> | undefined;
}

/** Throws a `ConfigurationError` that names each tool and the settings that it lacks. */
export function requireSettingsOfHttpTools(tools: ReadonlyMap<string, HttpTool>, settings: HttpToolSettings): void {
  const problems = settingProblemsOfHttpTools(tools, settings);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

export function settingProblemsOfHttpTools(
  tools: ReadonlyMap<string, HttpTool>,
  settings: HttpToolSettings,
): readonly string[] {
  return [...tools.values()].flatMap((tool) => problemsOf(tool, settings));
}

function problemsOf(tool: HttpTool, { toolHosts, toolPrivateHosts, toolSecrets }: HttpToolSettings): string[] {
  const host = hostOfHttpTool(tool);
  const file = `tools/${tool.name}.yaml`;
  const problems: string[] = [];
  if (!toolPrivateHosts.includes(host)) {
    // TOOL_HOSTS cannot allow plain http, so only the setting that helps is named.
    if (tool.request.url.startsWith("http:"))
      problems.push(`TOOL_PRIVATE_HOSTS: ${file} calls "${host}" over plain http, which is for hosts among these only`);
    else if (!toolHosts.includes(host)) problems.push(`TOOL_HOSTS: ${file} calls "${host}", which is not among them`);
  }
  for (const name of secretsOfHttpTool(tool))
    if (toolSecrets?.has(name) !== true)
      problems.push(`TOOL_SECRETS: ${file} names secrets.${name}, which is not among them`);
  return problems;
}
