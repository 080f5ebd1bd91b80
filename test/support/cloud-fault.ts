/** A way in which a cloud service fails, and what becomes of the conversation. */
import { expect } from "vitest";
import { startFaultRig, words } from "./fault-rig.ts";
import type { FaultRig, FaultRigOptions } from "./fault-rig.ts";
import { spokenLine } from "./speech-engines.ts";

export const answered = /^It is on its way\.$/;
export const apology = /^I am sorry, (?:something went wrong on my side|I still have a problem here)/;

export interface Fault {
  readonly phase: "connect" | "first byte" | "middle" | "end";
  /** Completes "…, when the service …". */
  readonly failure: string;
  readonly inject: (rig: FaultRig) => void;
  /** The last thing the caller hears. */
  readonly hears: RegExp;
  /** Codes of the `error` messages, each once. */
  readonly reports?: readonly string[];
  readonly ends?: string;
}

/** `words`, as a person says them. */
export function speakWords(): Promise<Int16Array> {
  return spokenLine({ text: words, voice: "slt", sampleRateHz: 16_000 });
}

/** The vendors' SDKs take seconds to load; no deadline of a conversation should run meanwhile. */
export function loadSdks(): Promise<void> {
  return withRig({ streamingMode: "REALTIME" }, (rig) => rig.greet());
}

export async function withRig(options: FaultRigOptions, test: (rig: FaultRig) => Promise<void>): Promise<void> {
  const rig = await startFaultRig(options);
  try {
    await test(rig);
  } finally {
    await rig.close();
  }
}

export async function expectOutcome(rig: FaultRig, { hears, reports = [], ends }: Fault): Promise<void> {
  await rig.hears(hears);
  expect([...new Set(rig.errorCodes)]).toEqual(reports);
  if (ends !== undefined) expect(await rig.ended()).toBe(ends);
  const stored = await rig.stored();
  // What was heard is what is stored, word for word.
  expect(stored.filter((line) => line.startsWith("assistant")).map((line) => line.replace(/^[^:]*: /, ""))).toEqual(
    rig.heard.filter((text) => text !== ""),
  );
}

export const forGood = <T>(fault: T): T[] => Array.from({ length: 1000 }, () => fault);
