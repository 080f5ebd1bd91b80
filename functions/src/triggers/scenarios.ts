/** Scenarios. */
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { checkSessionScenario } from "@voice/shared/catalog/session-documents";
import { createScenario, getScenario, listScenarios } from "@voice/shared/contracts/http/scenarios";
import { BadRequestError } from "@voice/shared/platform/errors";
import { answer, type Route } from "../http/route.ts";
import { createDefinition } from "../services/create-definition.ts";
import { requireValid } from "../http/document-check.ts";
import { findKnownScenario, scenariosOf, type KnownScenario } from "../services/scenario-catalog.ts";

const noSuchScenario =
  "There is no such scenario: GET /scenarios lists them, those of a session with its `session_id`.";

export const scenarioRoutes: readonly Route[] = [
  answer(listScenarios)(async ({ query, request }, dependencies) => {
    const { session_id: sessionId } = query;
    if (sessionId !== undefined) await requireSessionAccess(request.caller, sessionId, dependencies.state);
    const scenarios = await scenariosOf(query.session_id, dependencies);
    return { scenarios: scenarios.map(summaryView), total: scenarios.length };
  }),

  answer(getScenario)(async ({ params, query, request }, dependencies) => {
    const { session_id: sessionId } = query;
    if (sessionId !== undefined) await requireSessionAccess(request.caller, sessionId, dependencies.state);
    const known = await findKnownScenario(params.name, query.session_id, dependencies);
    if (known === undefined) throw new BadRequestError("not_found", noSuchScenario);
    return detailView(known);
  }),

  answer(createScenario)(async (input, dependencies) => {
    const { created, checked, times } = await createDefinition(
      "scenario",
      input,
      (document, catalog, agents) => requireValid(checkSessionScenario(document, catalog, agents)),
      dependencies,
    );
    return {
      session_id: created.sessionId,
      scenario_name: checked.name,
      status: "created",
      config: detailView({ scenario: checked, source: "session" }),
      ...times,
    };
  }),
];

function summaryView({ scenario, source }: KnownScenario) {
  return {
    name: scenario.name,
    description: scenario.description,
    agents: [...scenario.agents],
    start_agent: scenario.startAgent,
    source,
  };
}

function detailView(known: KnownScenario) {
  const {
    handoffs,
    language = null,
    languages = null,
    timeZone = null,
    waitingSound = null,
    templateVars,
    afterCall,
  } = known.scenario;
  return {
    ...summaryView(known),
    handoffs: handoffs.map((edge) => ({
      from: edge.from,
      to: edge.to,
      tool: edge.tool ?? null,
      type: edge.type,
      share_context: edge.shareContext,
      condition: edge.condition ?? null,
    })),
    language,
    languages: languages === null ? null : [...languages],
    time_zone: timeZone,
    waiting_sound: waitingSound,
    template_vars: { ...templateVars },
    ...(afterCall !== undefined && { after_call: afterCall }),
  };
}
