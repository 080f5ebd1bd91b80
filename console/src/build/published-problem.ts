/** Which of the published documents the service has refused. Pure. */
import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { keyOf } from "./part.ts";
import type { Part, PartProblem } from "./part.ts";

interface Published {
  readonly agents: readonly Part[];
  readonly scenarios: readonly Part[];
  readonly table: Part | undefined;
}

/** `agents.0.tools.1` is the field `tools.1` of the first agent that was sent. */
export function problemOfPublication(error: unknown, { agents, scenarios, table }: Published): PartProblem {
  const fields = error instanceof ApiProblem ? error.fields : [];
  for (const { field } of fields) {
    const [prefix = "", kind, index = ""] = /^(?:(agents|scenarios)\.(\d+)|route_table)\./.exec(field) ?? [];
    const part = kind === undefined ? table : (kind === "agents" ? agents : scenarios)[Number(index)];
    if (prefix === "" || part === undefined) continue;
    const own = fields.filter((one) => one.field.startsWith(prefix));
    const named = own.map((one) => ({ ...one, field: one.field.slice(prefix.length) }));
    const what = part.kind === "routes" ? "The table" : part.name;
    return { part: keyOf(part), sentence: `${what} cannot be published as it is: see what is marked.`, fields: named };
  }
  return { part: "", sentence: describeProblem(error), fields: [] };
}
