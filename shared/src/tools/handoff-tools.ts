/**
 * The tools with which an agent hands over: the generic one, which knows every edge, and the named triggers of the
 * edges that have one. They do nothing themselves; they return a typed effect that the session carries out.
 */
import { z } from "zod";
import type { SessionCatalog } from "../catalog/session-catalog.ts";
import type { HandoffEdge } from "../catalog/scenario.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolOutcome } from "./tool.ts";

export const genericHandoffTool = "handoff_to_agent";

const reason = z.string().min(1).describe("Why the caller needs the other agent, in one short sentence.");
const context = z
  .string()
  .optional()
  .describe("What the other agent should know so that the caller need not repeat it.");

/**
 * Each agent's tools are created once per catalog, which never changes, because schemas are expensive.
 */
const made = new WeakMap<SessionCatalog, Map<string, readonly Tool[]>>();

export function handoffTools(catalog: SessionCatalog, agent: string): readonly Tool[] {
  const byAgent = made.get(catalog) ?? new Map<string, readonly Tool[]>();
  made.set(catalog, byAgent);
  const tools = byAgent.get(agent) ?? makeHandoffTools(catalog, agent);
  byAgent.set(agent, tools);
  return tools;
}

function makeHandoffTools(catalog: SessionCatalog, agent: string): readonly Tool[] {
  const edges = catalog.edgesFrom(agent);
  const [first, ...others] = edges.map((edge) => edge.to);
  if (first === undefined) return [];
  const describe = (edge: HandoffEdge): string =>
    [catalog.agent(edge.to)?.description ?? edge.to, edge.condition && `When ${edge.condition}`]
      .filter((part) => part !== undefined)
      .join(" ");
  const generic = defineTool({
    name: genericHandoffTool,
    description: `Hands the conversation to another agent. ${edges.map((edge) => `${edge.to}: ${describe(edge)}`).join(" ")}`,
    parameters: z.object({ target_agent: z.enum([first, ...others]), reason, context }),
    onInterruption: "finish",
    run: (args) => handoffOutcome({ from: agent, to: args.target_agent, ...args }),
  });
  const named = edges.flatMap((edge) =>
    edge.tool === undefined ? [] : [namedTrigger(edge, edge.tool, describe(edge))],
  );
  return [generic, ...named];
}

function namedTrigger(edge: HandoffEdge, name: string, description: string): Tool {
  return defineTool({
    name,
    description: `Hands the conversation to ${edge.to}. ${description}`,
    parameters: z.object({ reason, context }),
    onInterruption: "finish",
    run: (args) => handoffOutcome({ from: edge.from, to: edge.to, trigger: name, ...args }),
  });
}

function handoffOutcome(handoff: {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly context?: string | undefined;
  readonly trigger?: string | undefined;
}): ToolOutcome {
  const { from, to, reason, context, trigger } = handoff;
  return {
    result: { success: true, handoff: true, previous_agent: from, target_agent: to, reason },
    effects: [
      {
        type: "handoff",
        to,
        reason,
        context: context === undefined ? {} : { handoff_summary: context },
        trigger,
      },
    ],
  };
}
