/** Documents as the Build page has them, from what the service answers. Pure. */
import type { Document, ScenarioDetails } from "../api/build-api.ts";
import type { ScenarioInfo } from "../api/service-api.ts";
import type { Part, PartKind, PartProblem } from "./part.ts";
import { isDocument } from "./document-path.ts";

export function partOf(kind: PartKind, name: string, original: Document, effective: Part["effective"]): Part {
  return { kind, name, original, document: original, isChanged: false, effective };
}

/** Empty values are left out, as in a file. */
export function documentOf({ handoffs, template_vars: variables, ...scenario }: ScenarioDetails): Document {
  const stated = handoffs.map((handoff) =>
    Object.fromEntries(Object.entries(handoff).filter(([, value]) => value !== null && value !== undefined)),
  );
  const {
    name,
    description,
    agents,
    start_agent,
    language,
    languages,
    time_zone: timeZone,
    waiting_sound: sound,
    after_call,
  } = scenario;
  const hasVariables = isDocument(variables) && Object.keys(variables).length > 0;
  return {
    name,
    description,
    agents,
    start_agent,
    handoffs: stated,
    ...(typeof language === "string" && { language }),
    ...(Array.isArray(languages) && { languages }),
    ...(typeof timeZone === "string" && { time_zone: timeZone }),
    ...(typeof sound === "string" && { waiting_sound: sound }),
    ...(hasVariables && { template_vars: variables }),
    ...(after_call != null && { after_call }),
  };
}

export function agentsIn(scenario: Document | ScenarioInfo | undefined): readonly string[] {
  const agents: unknown = scenario?.["agents"];
  return Array.isArray(agents) ? agents.map(String) : [];
}

/** Clears a field's problem as soon as the field is edited. */
export function withoutField(problem: PartProblem | undefined, part: string, path: string): PartProblem | undefined {
  if (problem?.part !== part) return problem;
  const fields = problem.fields.filter(({ field }) => field !== path && !field.startsWith(`${path}.`));
  return fields.length === 0 ? undefined : { ...problem, fields };
}
