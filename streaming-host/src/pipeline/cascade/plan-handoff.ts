/** Resolves a handoff within this session's scenario: which edge it takes, and the first text of the new agent. Pure. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { HandoffEdge, HandoffType } from "@voice/shared/catalog/scenario";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { ToolEffect } from "@voice/shared/tools/tool";

export interface HandoffTaken {
  readonly from: Agent;
  readonly to: Agent;
  readonly type: HandoffType;
  readonly shareContext: boolean;
  readonly reason: string;
  /** Spoken by the new agent before it continues; undefined for a discrete handoff. */
  readonly greeting: string | undefined;
}

export type HandoffEffect = Extract<ToolEffect, { type: "handoff" }>;

/** Undefined if there is no such agent, or if it is the current one. */
export function planHandoff(
  catalog: SessionCatalog,
  from: Agent,
  wanted: HandoffEffect,
  known: { readonly memory: Readonly<Record<string, unknown>>; readonly visitedAgents: readonly string[] },
): HandoffTaken | undefined {
  const to = catalog.agent(wanted.to);
  if (to === undefined || to.name === from.name) return undefined;
  const edge = findEdge(catalog.edgesFrom(from.name), to.name, wanted.trigger);
  const type = edge?.type ?? "announced";
  const greeting =
    type === "announced"
      ? catalog.renderGreeting(to, {
          memory: { ...known.memory, ...wanted.context },
          previousAgent: from.name,
          handoffReason: wanted.reason,
          handoffContext: wanted.context,
          isReturn: known.visitedAgents.includes(to.name),
        })
      : undefined;
  return { from, to, type, shareContext: edge?.shareContext ?? true, reason: wanted.reason, greeting };
}

/** The most specific edge wins: trigger and target, then target alone. */
function findEdge(edges: readonly HandoffEdge[], to: string, trigger: string | undefined): HandoffEdge | undefined {
  return (
    edges.find((edge) => edge.to === to && edge.tool !== undefined && edge.tool === trigger) ??
    edges.find((edge) => edge.to === to)
  );
}
