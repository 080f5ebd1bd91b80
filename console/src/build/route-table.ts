/** Reads the table of routes as the System page edits it. Pure. */
import type { Document } from "../api/build-api.ts";
import { isDocument, textOf } from "./document-path.ts";

export const channels = {
  browser: "Browsers",
  phone: "Every other number",
  media: "Media sessions",
  telephony: "Telephony platforms",
} as const;

export function rowsOf({ routes }: Document): readonly Document[] {
  return Array.isArray(routes) ? routes.filter(isDocument) : [];
}

/** Two rows of a table never have the same. */
export function entranceOf({ number, channel, tenant }: Document): string {
  const what = channel === undefined ? numbersOf(number).join(", ") : textOf(channel);
  return tenant === undefined || channel === undefined ? what : `${what} of ${textOf(tenant)}`;
}

/** Their order says nothing, so they are compared by what leads to them. */
export function byEntrance(table: Document): Document {
  return Object.fromEntries(rowsOf(table).map((row) => [entranceOf(row) || "no number yet", row]));
}

export type ClosedKind = "" | "say" | "scenario";

export function closedKindOf({ closed }: Document): ClosedKind {
  if (!isDocument(closed)) return "";
  return "say" in closed ? "say" : "scenario";
}

function numbersOf(number: unknown): readonly string[] {
  return Array.isArray(number) ? number.map(textOf) : [textOf(number)];
}
