/** Reads the fields of a scenario's document that the form shows. Pure. */
import type { Document } from "../api/build-api.ts";
import { isDocument, textOf } from "./document-path.ts";

interface Handoff {
  readonly from: string;
  readonly to: string;
  /** The document's own fields, including those that the form does not show. */
  readonly document: Document;
}

export interface ScenarioView {
  readonly agents: readonly string[];
  readonly start_agent: string;
  readonly handoffs: readonly Handoff[];
}

export function scenarioOf({ agents, start_agent: start, handoffs }: Document): ScenarioView {
  return {
    agents: Array.isArray(agents) ? agents.map(String) : [],
    start_agent: typeof start === "string" ? start : "",
    handoffs: (Array.isArray(handoffs) ? handoffs.filter(isDocument) : []).map((document) => ({
      from: textOf(document["from"]),
      to: textOf(document["to"]),
      document,
    })),
  };
}
