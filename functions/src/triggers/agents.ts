/** Agents. */
import { requireServiceOperator } from "@voice/shared/auth/caller";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { findAgent } from "@voice/shared/catalog/catalog";
import { checkSessionAgent } from "@voice/shared/catalog/session-documents";
import type { AgentChange } from "@voice/shared/contracts/agents/agent-document";
import { createAgent, getAgent, listAgents, updateAgent } from "@voice/shared/contracts/http/agents";
import { BadRequestError } from "@voice/shared/platform/errors";
import { inSlices } from "@voice/shared/platform/steps";
import type { Dependencies } from "../dependencies.ts";
import { answer, type Route } from "../http/route.ts";
import { agentsOf, findKnownAgent } from "../services/agent-catalog.ts";
import { overrideAgent } from "../services/agent-override.ts";
import { changeSessionAgent } from "../services/session-agent-change.ts";
import { createDefinition } from "../services/create-definition.ts";
import { definitionOf } from "../services/agent-definition.ts";
import { agentSummary, agentView } from "../services/agent-views.ts";
import { availableVoices } from "../services/available-voices.ts";
import { requireValid } from "../http/document-check.ts";
import { roundMs } from "../services/readiness.ts";
import { findBeginning } from "../services/scenario-catalog.ts";
import { requireAllowedTools } from "../services/session-agent-tools.ts";
import { requireVoice } from "../services/require-voice.ts";

const noSuchAgent = "There is no such agent: GET /agents lists them, those of a session with its `session_id`.";

export const agentRoutes: readonly Route[] = [
  answer(listAgents)(async ({ query, request }, dependencies) => {
    const { clock, settings, state } = dependencies;
    const startedAt = clock.now();
    if (query.session_id !== undefined) await requireSessionAccess(request.caller, query.session_id, state);
    const [agents, session] = await Promise.all([
      agentsOf(query.session_id, dependencies),
      findSession(query.session_id, dependencies),
    ]);
    const beginning = await findBeginning(session?.scenario, query.session_id, dependencies);
    const triggers = agents.flatMap(({ agent: { handoffTrigger, name } }) =>
      handoffTrigger === undefined ? [] : [{ tool: handoffTrigger, target: name }],
    );
    return {
      status: "success",
      agents_count: agents.length,
      agents: agents.map((agent) => agentView(agent, settings.streamingMode)),
      summaries: agents.map((agent) => agentSummary(agent, settings.streamingMode)),
      handoff_map: Object.fromEntries(triggers.map(({ tool, target }) => [tool, target])),
      start_agent: beginning?.startAgent ?? null,
      scenario: beginning?.scenario.name ?? null,
      connections: triggers,
      current_agent: query.include_state ? (session?.activeAgent ?? null) : null,
      response_time_ms: roundMs(clock.now() - startedAt),
      available_voices: availableVoices,
    };
  }),

  answer(getAgent)(async ({ params, query, request }, dependencies) => {
    const { session_id: sessionId } = query;
    if (sessionId !== undefined) await requireSessionAccess(request.caller, sessionId, dependencies.state);
    const [known, session] = await Promise.all([
      findKnownAgent(params.agent_name, query.session_id, dependencies),
      findSession(query.session_id, dependencies),
    ]);
    if (known === undefined) throw new BadRequestError("not_found", noSuchAgent);
    const { agent, source } = known;
    const own = source === "session" ? await dependencies.state.agents.get(sessionId ?? "", agent.name) : undefined;
    return {
      ...agentView(known, dependencies.settings.streamingMode),
      prompt: agent.prompt,
      greeting: agent.greeting ?? null,
      return_greeting: agent.returnGreeting ?? null,
      definition: { ...(own?.document ?? definitionOf(agent)) },
      session_id: query.session_id ?? null,
      current_agent: session?.activeAgent ?? null,
    };
  }),

  answer(updateAgent)(async ({ params, query, body, request }, dependencies) => {
    const { clock, state } = dependencies;
    const startedAt = clock.now();
    const { session_id: sessionId } = query;
    // Permission is checked before existence, so that an unauthorised caller does not learn which agents exist.
    if (sessionId === undefined) requireServiceOperator(request.caller);
    else await requireSessionAccess(request.caller, sessionId, state);
    const { name, changes } =
      sessionId === undefined
        ? await changeOfCatalog(params.agent_name, body, dependencies)
        : await changeSessionAgent({ sessionId, name: params.agent_name }, body, dependencies);
    const scope = sessionId === undefined ? "every conversation on, on every instance" : "its conversation on";
    return {
      status: "success",
      agent_name: name,
      updated_fields: changes,
      message: changes.length === 0 ? "Nothing to change" : `Agent "${name}" changed`,
      response_time_ms: roundMs(clock.now() - startedAt),
      note: `Applies from the next turn of ${scope}. It is not written to the catalog.`,
    };
  }),

  answer(createAgent)(async (input, dependencies) => {
    const { body, request } = input;
    const { knownTools, settings } = dependencies;
    const { created, times } = await createDefinition(
      "agent",
      input,
      async (document, catalog, siblings) => {
        requireAllowedTools(body.tools ?? [], request.caller, dependencies);
        requireVoice(body.voice, settings);
        return requireValid(await inSlices(checkSessionAgent(document, catalog, knownTools, siblings)));
      },
      dependencies,
    );
    return {
      session_id: created.sessionId,
      agent_name: created.name,
      status: "created",
      config: { ...created.document },
      ...times,
    };
  }),
];

async function changeOfCatalog(asked: string, change: AgentChange, { catalog, settings, state }: Dependencies) {
  const agent = findAgent(catalog, asked);
  if (agent === undefined) throw new BadRequestError("not_found", noSuchAgent);
  const { endpointId, personalModel } = agent.voice;
  requireVoice({ endpoint_id: endpointId, personal_model: personalModel, ...change.voice }, settings);
  return { name: agent.name, changes: await overrideAgent(agent.name, change, state.agents) };
}

async function findSession(sessionId: string | undefined, { state }: Dependencies) {
  if (sessionId === undefined) return undefined;
  const session = await state.sessions.get(sessionId);
  return typeof session === "string" ? undefined : session;
}
