/** The indexes of calls: for every way in which a list may be filtered, the calls that belong to it. */
import { callOutcomes, type CallOutcome } from "../../contracts/calls/call-outcome.ts";
import { callStatuses, type CallStatus } from "../../contracts/calls/call-status.ts";
import { callDirections, type CallDirection } from "./call-store.ts";

/** What all calls of an index have in common; an empty one has every call. */
export interface CallIndex {
  readonly direction?: CallDirection | undefined;
  readonly status?: CallStatus | undefined;
  readonly outcome?: CallOutcome | undefined;
}

const ofOneKind: readonly CallIndex[] = [
  {},
  ...callStatuses.map((status) => ({ status })),
  ...callOutcomes.map((outcome) => ({ outcome })),
];

/** A status and an outcome are never asked for together, so each pair of a direction and one of them is enough. */
export const callIndexes: readonly CallIndex[] = [
  ...ofOneKind,
  ...callDirections.flatMap((direction) => ofOneKind.map((index) => ({ ...index, direction }))),
];
