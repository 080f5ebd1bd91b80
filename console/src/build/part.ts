/** The documents that make up a published version, each of which can be changed: agents and scenarios on the Build page, the table of routes on the System page. */
import type { FieldProblem } from "../api/api-problem.ts";
import type { AgentDetails, Document } from "../api/build-api.ts";

/** Parts that have a page of their own. */
export type DocumentKind = "agent" | "scenario";
export type PartKind = DocumentKind | "routes";

export interface PartName {
  readonly kind: PartKind;
  readonly name: string;
}

export function keyOf({ kind, name }: PartName): string {
  return `${kind}/${name.toLowerCase()}`;
}

/** A version has one table of routes, so its name is fixed. */
export const routesPart: PartName = { kind: "routes", name: "routes" };

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
