/** An agent or a scenario that is open on the Build page. */
import type { FieldProblem } from "../api/api-problem.ts";
import type { AgentDetails, Document } from "../api/build-api.ts";

export type PartKind = "agent" | "scenario";

export interface PartName {
  readonly kind: PartKind;
  readonly name: string;
}

/** A document that was opened. */
export interface Part extends PartName {
  /** The service's version; undefined for a new one. */
  readonly original: Document | undefined;
  /** This page's version. */
  readonly document: Document;
  readonly isChanged: boolean;
  /** The agent as the service uses it, including its defaults. */
  readonly effective: Pick<AgentDetails, "model" | "voice"> | undefined;
}

/** The problems that the service reported for a part. */
export interface PartProblem {
  readonly part: string;
  readonly sentence: string;
  readonly fields: readonly FieldProblem[];
}
