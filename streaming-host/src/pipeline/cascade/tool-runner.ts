/** The agent loop's tools: those the agent lists, and the handoffs its scenario allows. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Clock } from "@voice/shared/platform/clock";
import { agentTools } from "@voice/shared/tools/agent-tools";
import type { ToolSource } from "@voice/shared/tools/agent-tools";
import { toolSchema } from "@voice/shared/tools/define-tool";
import { runTools } from "@voice/shared/tools/run-tools";
import type { Customer, Tool } from "@voice/shared/tools/tool";
import type { ToolRunner } from "./agent-loop.ts";

export interface ToolRunnerOptions {
  readonly registry: ToolSource;
  /** The session's; it changes between replies. */
  readonly catalog: () => SessionCatalog;
  readonly sessionId: string;
  readonly clock: Clock;
  /** Whose data the tools act on; undefined where the session is bound to nobody. */
  readonly customer?: (() => Customer | undefined) | undefined;
}

export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { registry, catalog, sessionId, clock } = options;

  const toolsOf = (agent: Agent): ReadonlyMap<string, Tool> => agentTools(registry, catalog(), agent);

  return {
    definitions: (agent) =>
      [...toolsOf(agent).values()].map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: toolSchema(tool),
      })),
    run: (calls, context, onSlow, signal) =>
      runTools(calls, {
        tools: toolsOf(context.agent),
        context: {
          sessionId,
          turnId: context.turnId,
          agent: context.agent.name,
          memory: context.memory,
          clock,
          customer: options.customer?.(),
        },
        interrupted: signal,
        onSlow,
      }),
  };
}
