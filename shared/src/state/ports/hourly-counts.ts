/**
 * Counts by the hour, from which overviews of days and weeks are made when the conversations themselves are no longer stored. Bounded: an
 * hour has at most `maxNamesPerHour` names, and is kept for `countsLifeMs`.
 */
import { dayMs, hourMs } from "../../platform/day.ts";

/** Thirty days, and the day that is not over yet, in any time zone. */
export const countsLifeMs = 32 * dayMs;
/** Names come from catalogs and failure codes, so there are a few hundred; what a defect would add beyond that is left out. */
export const maxNamesPerHour = 2000;
/** As long as what is counted may be written again, which is the longest life of a call's record and more. */
export const countedLifeMs = 8 * dayMs;

export interface Contribution {
  /** Identifies what is counted. It counts once, however often and by however many processes it is added. */
  readonly id: string;
  readonly atMs: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Counted apart from the whole service's (TENANT-6). */
  readonly tenant?: string | undefined;
}

export interface CountedHour {
  /** When the hour began. */
  readonly startMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface HourlyCounts {
  /** False if it was counted before. */
  add(contribution: Contribution): Promise<boolean>;
  /** The hours that began in this span and have counts, oldest first. */
  read(fromMs: number, beforeMs: number, tenant?: string): Promise<readonly CountedHour[]>;
}

/** The hours of a span, as they are numbered in keys. */
export function hoursIn(fromMs: number, beforeMs: number): number[] {
  const first = Math.ceil(fromMs / hourMs);
  const count = Math.max(0, Math.ceil(beforeMs / hourMs) - first);
  return Array.from({ length: count }, (_, index) => first + index);
}
