/** Replays a conversation's flight record through the current turn machine, step by step. */
import { testFileOf } from "@voice/streaming-host/session/flight/record-as-test";
import { flightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import type { FlightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import { replayFlight } from "@voice/streaming-host/session/flight/replay-flight";
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { describeProblem } from "../api/api-problem.ts";
import { Store } from "@voice/client-kit/store";
import { failedAt } from "./failed-steps.ts";

export interface OpenedRecord {
  readonly kind: "open";
  readonly record: FlightRecord;
  readonly steps: readonly ReplayedStep[];
  /** Indexes into `steps`: those that are now decided differently, and not merely because of an earlier difference. */
  readonly differences: readonly number[];
  /** Indexes into `steps`: those at which something failed. */
  readonly failures: readonly number[];
  /** An index into `steps`. */
  readonly selected: number;
}

export type ReplayState =
  | { readonly kind: "none" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly problem: string }
  | OpenedRecord;

export class ReplaySession {
  readonly store = new Store<ReplayState>({ kind: "none" });
  readonly #read: (sessionId: string, signal: AbortSignal) => Promise<unknown>;

  constructor(read: (sessionId: string, signal: AbortSignal) => Promise<unknown>) {
    this.#read = read;
  }

  /** Runs until the returned function is called. */
  load(sessionId: string | undefined): () => void {
    const abort = new AbortController();
    this.store.set(sessionId === undefined ? { kind: "none" } : { kind: "loading" });
    if (sessionId !== undefined) void this.#load(sessionId, abort.signal);
    return () => abort.abort();
  }

  /** The answer of `GET /sessions/{id}/flight-record`, or a test that was made of one. */
  openText(text: string): void {
    let record: unknown;
    try {
      record = JSON.parse(text);
    } catch {
      this.store.set({
        kind: "failed",
        problem: "This file is not JSON, which a flight record is. Choose one that was downloaded here.",
      });
      return;
    }
    this.#open(record);
  }

  select(index: number): void {
    const state = this.store.get();
    if (state.kind !== "open") return;
    this.store.set({ ...state, selected: Math.min(Math.max(index, 0), state.steps.length - 1) });
  }

  async #load(sessionId: string, signal: AbortSignal): Promise<void> {
    try {
      const record = await this.#read(sessionId, signal);
      if (!signal.aborted) this.#open(record);
    } catch (error) {
      if (!signal.aborted) this.store.set({ kind: "failed", problem: describeProblem(error) });
    }
  }

  #open(text: unknown): void {
    const parsed = flightRecord.safeParse(text);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue === undefined ? "" : ` (${issue.path.join(".")}: ${issue.message})`;
      const problem = `This is no flight record that this version can read${where}. Replay it with the version that recorded it.`;
      this.store.set({ kind: "failed", problem });
      return;
    }
    const steps = replayFlight(parsed.data.segments);
    const differences = steps.flatMap((step, index) => (step.isSame || step.followsDifference ? [] : [index]));
    const failures = steps.flatMap((step, index) => (failedAt(step) ? [index] : []));
    const selected = differences[0] ?? failures[0] ?? 0;
    this.store.set({ kind: "open", record: parsed.data, steps, differences, failures, selected });
  }
}

/** The next after the current step, continuing from the start after the last one. */
export function nextDifference({ differences, selected }: OpenedRecord): number | undefined {
  return nextOf(differences, selected);
}

export function nextFailure({ failures, selected }: OpenedRecord): number | undefined {
  return nextOf(failures, selected);
}

function nextOf(indexes: readonly number[], selected: number): number | undefined {
  return indexes.find((index) => index > selected) ?? indexes[0];
}

/** A file for the folder of kept records, each of which is a test. */
export function testOf({ record }: OpenedRecord, name: string): { readonly fileName: string; readonly text: string } {
  return testFileOf(name, record.segments);
}
