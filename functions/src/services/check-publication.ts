/** The catalog's check of what is to be published, as a whole: documents may name each other, and rows of the table scenarios. */
import type { Agent } from "@voice/shared/catalog/agent";
import { routeProblems } from "@voice/shared/catalog/conversation-routes";
import { checkRoutes } from "@voice/shared/catalog/published-routes";
import { withDocuments, type ReleasedCatalog } from "@voice/shared/catalog/released-catalogs";
import { checkSessionAgent, checkSessionScenario, refused } from "@voice/shared/catalog/session-documents";
import type { Checked } from "@voice/shared/catalog/session-documents";
import type { Scenario } from "@voice/shared/catalog/scenario";
import type { publishRequest } from "@voice/shared/contracts/http/releases";
import { BadRequestError } from "@voice/shared/platform/errors";
import { inSlices } from "@voice/shared/platform/steps";
import type { z } from "zod";
import type { Dependencies } from "../dependencies.ts";
import { requireValid } from "../http/document-check.ts";

type Publication = z.output<typeof publishRequest>;

interface CheckedPublication {
  readonly agents: readonly Agent[];
  readonly scenarios: readonly Scenario[];
}

/** Rejects with every problem of the first document that has any, by its place in the request. */
export async function checkPublication(
  body: Publication,
  base: ReleasedCatalog,
  { catalog, knownTools }: Pick<Dependencies, "catalog" | "knownTools">,
): Promise<CheckedPublication> {
  const agents: Agent[] = [];
  for (const [index, document] of body.agents.entries()) {
    const checked = await inSlices(checkSessionAgent(document, catalog, knownTools, agents));
    agents.push(requireValid(within(`agents.${index}`, checked)));
  }
  const scenarios = body.scenarios.map((document, index) => {
    const checked = checkSessionScenario(document, withDocuments(base.catalog, agents, []), agents);
    return requireValid(within(`scenarios.${index}`, checked));
  });
  requireRoutes(body.route_table, base, withDocuments(base.catalog, agents, scenarios).scenarios);
  return { agents, scenarios };
}

function requireRoutes(
  published: Publication["route_table"],
  base: ReleasedCatalog,
  scenarios: ReadonlyMap<string, Scenario>,
): void {
  const { routes, scenarios: before } = base.catalog;
  if (published === undefined) {
    // A row that was wrong before this publication is not reported again.
    const known = new Set(routeProblems(routes, before).map(({ key }) => key));
    const caused = routeProblems(routes, scenarios).filter(({ key }) => !known.has(key));
    if (caused.length > 0) requireValid(refused(caused));
  } else if (published.version !== base.version) {
    // Rows that somebody else has published since it was read would be lost.
    throw new BadRequestError("conflict", "The table of routes has changed since it was read: read it again.");
  } else {
    requireValid(within("route_table", checkRoutes(published.routes, scenarios)));
  }
}

/** Names the document beside the field. */
function within<Value>(place: string, checked: Checked<Value>): Checked<Value> {
  if (checked.ok) return checked;
  const problems = checked.problems.map((problem) => ({ ...problem, field: `${place}.${problem.field}` }));
  return { ...checked, problems };
}
