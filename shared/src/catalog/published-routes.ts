/** A table of routes that is published, or was: it passes the same check as routes.yaml. Pure. */
import type { JsonDocument } from "../state/records/session-documents.ts";
import { routeFile, routeProblems, routesFile, routesPath, toRoute, toRoutes } from "./conversation-routes.ts";
import type { ConversationRoute } from "./conversation-routes.ts";
import { schemaProblems, type CatalogProblem } from "./problems.ts";
import type { Scenario } from "./scenario.ts";
import { refused, type Checked } from "./session-documents.ts";
import type { LeftOut } from "./stored-documents.ts";

/** `scenarios`: those of the version that the table is to be part of. */
export function checkRoutes(
  rows: readonly JsonDocument[],
  scenarios: ReadonlyMap<string, Scenario>,
): Checked<readonly ConversationRoute[]> {
  const parsed = routesFile.safeParse({ routes: rows });
  if (!parsed.success) return refused(schemaProblems(routesPath, parsed.error, routesFile));
  const routes = toRoutes(parsed.data);
  const problems = routeProblems(routes, scenarios);
  return problems.length === 0 ? { ok: true, value: routes } : refused(problems);
}

export interface AcceptedRoutes {
  readonly routes: readonly ConversationRoute[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Reads a table back from the store. Nothing enters by a row whose scenario or agent is not in the files any more, but the row still says
 * whose its scenario is, so that no other tenant has it (TENANT-5).
 */
export function acceptRoutes(rows: readonly JsonDocument[], scenarios: ReadonlyMap<string, Scenario>): AcceptedRoutes {
  const leftOut: LeftOut[] = [];
  const leaveOut = (index: number, problems: readonly CatalogProblem[]): void =>
    void leftOut.push({ kind: "route", name: `routes.${index}`, fields: problems.map(({ key }) => key) });
  const routes = rows.flatMap((row, index): readonly ConversationRoute[] => {
    const parsed = routeFile.safeParse(row);
    if (!parsed.success) {
      leaveOut(index, schemaProblems(routesPath, parsed.error));
      return [];
    }
    const route = toRoute(parsed.data);
    const problems = routeProblems([route], scenarios);
    if (problems.length === 0) return [route];
    leaveOut(index, problems);
    return [{ ...route, lines: [], channel: undefined }];
  });
  return { routes, leftOut };
}
