/** An agent in the API's format. */
import type { Agent } from "@voice/shared/catalog/agent";
import type { AgentSummary, AgentView } from "@voice/shared/contracts/http/agents";
import type { StreamingMode } from "@voice/shared/state/ports/session-store";
import type { KnownAgent } from "./agent-catalog.ts";

const previewLength = 320;
const summaryLength = 160;
const toolsInPreview = 5;

export function agentView({ agent, source }: KnownAgent, mode: StreamingMode): AgentView {
  const model = modelFor(agent, mode);
  return {
    name: agent.name,
    status: "loaded",
    description: agent.description,
    prompt_path: source === "catalog" ? agent.promptPath : null,
    config_path: source === "catalog" ? agent.configPath : null,
    model: {
      deployment_id: model.deploymentId,
      temperature: model.temperature ?? null,
      top_p: model.topP ?? null,
      max_tokens: model.maxTokens ?? null,
    },
    voice: {
      current_voice: agent.voice.name,
      voice_style: agent.voice.style ?? null,
      voice_rate: agent.voice.rate ?? null,
      voice_configurable: true,
      is_per_agent_voice: true,
    },
    language: agent.speech.language ?? null,
    tool_count: agent.tools.length,
    tools: [...agent.tools],
    handoff_tools: agent.tools.filter((tool) => tool.startsWith("handoff_")),
    handoff_trigger: agent.handoffTrigger ?? null,
    prompt_preview: agent.prompt.slice(0, previewLength),
    examples: [...(agent.rules?.suggestions ?? [])],
    phrase_count: agent.examples.length,
    source,
  };
}

export function agentSummary({ agent }: KnownAgent, mode: StreamingMode): AgentSummary {
  return {
    name: agent.name,
    description: agent.description.slice(0, summaryLength),
    greeting: agent.greeting !== undefined,
    return_greeting: agent.returnGreeting !== undefined,
    tool_count: agent.tools.length,
    tools_preview: agent.tools.slice(0, toolsInPreview),
    handoff_trigger: agent.handoffTrigger ?? null,
    model: modelFor(agent, mode).deploymentId,
    voice: agent.voice.name,
  };
}

function modelFor(agent: Agent, mode: StreamingMode) {
  return mode === "VOICE_LIVE" ? agent.model.realtime : agent.model.cascade;
}
