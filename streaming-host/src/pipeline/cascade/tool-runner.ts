/** The agent loop's tools: those the agent lists, and the handoffs its scenario allows. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Clock } from "@voice/shared/platform/clock";
import { agentTools } from "@voice/shared/tools/agent-tools";
import type { ToolSource } from "@voice/shared/tools/agent-tools";
import { runTools, sameCallKey } from "@voice/shared/tools/run-tools";
import type { RunToolsOptions } from "@voice/shared/tools/run-tools";
import type { Customer } from "@voice/shared/tools/customer";
import type { IdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { hasLastingEffect } from "@voice/shared/tools/tool";
import type { Tool } from "@voice/shared/tools/tool";
import type { BegunCalls } from "@voice/shared/state/ports/session-store";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import type { ToolRunner } from "../tool-round.ts";
import { toolDefinition } from "./tool-definition.ts";
import { untilStored } from "./until-stored.ts";
import type { StorageOutcome } from "./until-stored.ts";

export interface ToolRunnerOptions {
  readonly registry: ToolSource;
  /** The catalog of the session, which may change between replies. */
  readonly catalog: () => SessionCatalog;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly customer?: (() => Promise<Customer | undefined>) | undefined;
  readonly checks: IdentityChecks;
  /** TOOL-1. */
  readonly resultLimit?: number | undefined;
  /** Stores that these calls are about to run, so that another host can take over if this process dies in the meantime. */
  readonly writeDown?: ((begun: BegunCalls) => Promise<StorageOutcome>) | undefined;
}

/** The definitions for each set of tools. The set is another object when an agent's tools change. */
const definitionsByTools = new WeakMap<ReadonlyMap<string, Tool>, readonly ModelTool[]>();

function definitionsOf(tools: ReadonlyMap<string, Tool>): readonly ModelTool[] {
  const known = definitionsByTools.get(tools);
  if (known !== undefined) return known;
  const definitions = [...tools.values()].map(toolDefinition);
  definitionsByTools.set(tools, definitions);
  return definitions;
}

export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { registry, catalog, sessionId, clock } = options;

  const toolsOf = (agent: Agent): ReadonlyMap<string, Tool> => agentTools(registry, catalog(), agent);

  /**
   * TAKE-4: the host that takes over repeats calls that may be repeated. Returns false if another host has already taken over: this process
   * stood still for longer than the others wait. That host does not know of these calls and asks the caller to repeat the request.
   */
  async function mayRun(
    lasting: readonly ToolCall[],
    { turnId, agent }: { readonly turnId: string; readonly agent: Agent },
  ): Promise<boolean> {
    if (lasting.length === 0 || options.writeDown === undefined) return true;
    const calls = lasting.map(({ id, name, argumentsJson }) => ({ id, name, argumentsJson }));
    const written = options.writeDown({ turnId, agent: agent.name, calls });
    return (await untilStored(written, clock)) !== "taken over";
  }

  const running: RunToolsOptions["running"] = new Map();

  return {
    lookUpKey(agent, call) {
      const tools = toolsOf(agent);
      return tools.get(call.name)?.onInterruption === "cancel" ? sameCallKey(call, tools) : undefined;
    },
    definitions: (agent) => definitionsOf(toolsOf(agent)),
    async run(calls, context, onSlow, signal) {
      const tools = toolsOf(context.agent);
      const isLasting = ({ name }: ToolCall): boolean => {
        const tool = tools.get(name);
        return tool !== undefined && hasLastingEffect(tool);
      };
      // Returns no results either, because they would be stored in a conversation that another host now runs. This session is being closed.
      if (!(await mayRun(calls.filter(isLasting), context))) return [];
      const customer = await options.customer?.();
      return runTools(calls, {
        tools,
        context: {
          sessionId,
          turnId: context.turnId,
          agent: context.agent.name,
          memory: context.memory,
          clock,
          customer,
          checks: options.checks,
          knowledge: context.agent.knowledge,
          language: context.agent.speech.language,
          timeZone: catalog().timeZone,
        },
        interrupted: signal,
        dropped: context.dropped,
        running,
        before: context.before,
        onSlow,
        resultLimit: options.resultLimit,
      });
    },
  };
}
