/**
 * Where a row is to be found: its facets, each of which is an index, and its labels. A list reads the smallest index that has all of what
 * it looks for, and checks the rows for the rest.
 */
import { listsOfOwner } from "../../auth/tenant.ts";
import { createHash } from "node:crypto";
import { labelsOf } from "../../conversation/conversation-labels.ts";
import { hasFailed } from "../../conversation/conversation-row.ts";
import type { ConversationQuery, ConversationRow } from "../ports/conversation-table.ts";

/** A list of slow or long conversations reads the index of the greatest of these that is not above what it looks for. */
const slowMs = [1000, 2000, 4000, 8000];
const longMs = [60_000, 300_000, 900_000, 3_600_000];

export interface ConversationPlaces {
  readonly facets: readonly string[];
  readonly labels: readonly string[];
}

/** Every row has it. */
export const everyFacet = "all";

export function placesOf(row: ConversationRow): ConversationPlaces {
  const { owner, agents, answerP95Ms = 0 } = row;
  const lengthMs = row.endedAtMs === undefined ? 0 : row.endedAtMs - row.startedAtMs;
  return {
    facets: [
      everyFacet,
      ...listsOfOwner(owner).map(ofOwner),
      ...namedFacets(row),
      ...agents.map((agent) => facet("agent", agent)),
      ...(hasFailed(row) ? ["failed"] : []),
      ...(row.isTransferred ? ["transferred"] : []),
      ...slowMs.filter((ms) => answerP95Ms >= ms).map((ms) => `slow:${ms}`),
      ...longMs.filter((ms) => lengthMs >= ms).map((ms) => `long:${ms}`),
    ],
    labels: labelsOf(row),
  };
}

/** The indexes each of which has every row that the query finds. */
export function facetsOf(query: ConversationQuery): string[] {
  const { owner, agent, minAnswerP95Ms = 0 } = query;
  const slow = slowMs.findLast((ms) => ms <= minAnswerP95Ms);
  return [
    everyFacet,
    ...(owner === undefined ? [] : [ofOwner(owner)]),
    ...namedFacets(query),
    ...(agent === undefined ? [] : [facet("agent", agent)]),
    ...(query.isFailed === true ? ["failed"] : []),
    ...(query.isTransferred === true ? ["transferred"] : []),
    ...(slow === undefined ? [] : [`slow:${slow}`]),
    ...ofDuration(query),
  ];
}

/** The rows of the index that are in the list's time are the list, without looking at any of them. */
export function isWholly({ facets, query }: { facets: readonly string[]; query: ConversationQuery }): boolean {
  const { search, minAnswerP95Ms, minDurationMs, maxDurationMs, isFailed, isTransferred } = query;
  const isChecked = [search, minAnswerP95Ms, minDurationMs, maxDurationMs].some((value) => value !== undefined);
  return facets.length <= 2 && !isChecked && isFailed !== false && isTransferred !== false;
}

/** A conversation that continues is in no index of durations, so a list that may show it reads another one. */
function ofDuration({ minDurationMs = 0, outcome }: ConversationQuery): string[] {
  if (outcome === undefined || outcome === "in_progress") return [];
  const long = longMs.findLast((ms) => ms <= minDurationMs);
  return long === undefined ? [] : [`long:${long}`];
}

/** What a row has one of, and a list may look for. */
function namedFacets(one: ConversationRow | ConversationQuery): string[] {
  const { channel, direction, scenario, release, outcome, endReason: reason } = one;
  return Object.entries({ channel, direction, scenario, release, outcome, reason }).flatMap(([kind, value]) =>
    value === undefined ? [] : [facet(kind, String(value))],
  );
}

function facet(kind: string, value: string): string {
  return `${kind}:${encodeURIComponent(value)}`;
}

/** Hashed, because key names are visible in places where data is not. */
function ofOwner(owner: string): string {
  return `owner:${createHash("sha256").update(owner).digest("hex").slice(0, 32)}`;
}
