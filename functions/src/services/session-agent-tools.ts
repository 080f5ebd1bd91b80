/**
 * Which tools agents created by a request may have (ACCESS-24). The author of an agent decides with which arguments its tools are called,
 * and they act with the service's own keys.
 */
import { isServiceOperator, roleIsMissing, type Caller } from "@voice/shared/auth/caller";
import type { KnownTools } from "@voice/shared/catalog/known-tools";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError } from "@voice/shared/platform/errors";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { hasLastingEffect } from "@voice/shared/tools/tool";

/** ACCESS-25. */
export function requireMayMakeAgents({ mayMakeAgents }: Caller): void {
  if (!mayMakeAgents) throw roleIsMissing("This caller may not make agents and scenarios.", "AGENT_ROLE");
}

export function requireAllowedTools(
  names: readonly string[],
  caller: Caller,
  { knownTools, settings }: { readonly knownTools: KnownTools; readonly settings: Settings },
): void {
  if (isServiceOperator(caller)) return;
  const { sessionAgentTools: allowed = settings.environment === "production" ? [] : ["any"] } = settings;
  const refused = names
    .map((name, index) => ({ name, index }))
    .filter(({ name }) => mayChangeSomething(name, knownTools) && !allowed.some((rule) => covers(rule, name)));
  if (refused.length === 0) return;
  throw new BadRequestError(
    "forbidden",
    "Some of the tools are not open to agents made by request.",
    refused.map(({ name, index }) => ({
      field: `tools.${index}`,
      message: `SESSION_AGENT_TOOLS does not name ${name}, which may change something`,
      code: "tool_not_allowed",
    })),
  );
}

/** What the tools of a server do is not known here. */
function mayChangeSomething(name: string, { tools }: KnownTools): boolean {
  if (builtInTools.has(name)) return false;
  const { onInterruption, isRepeatable } = tools.get(name) ?? {};
  return onInterruption === undefined || hasLastingEffect({ onInterruption, isRepeatable });
}

function covers(rule: string, name: string): boolean {
  if (rule === "any") return true;
  return rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : rule === name;
}
