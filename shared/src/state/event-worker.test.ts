import { expect, it } from "vitest";
import { VoiceError } from "../platform/errors.ts";
import type { LogFields, Logger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { EventWorker, type EventLedger, type WorkItem } from "./event-worker.ts";

const retry = { maxAttempts: 3, firstDelayMs: 10, maxDelayMs: 20 };

type Line = readonly [sentence: string, fields: LogFields];

function startWorker(ledger: EventLedger) {
  const clock = new VirtualClock();
  const lines: Line[] = [];
  const say = (fields: LogFields, sentence: string): void => {
    lines.push([sentence, fields]);
  };
  const logger: Logger = { debug: say, info: say, warn: say, error: say, child: () => logger };
  return { clock, lines, worker: new EventWorker({ ledger, clock, logger, retry, onGivenUp: () => undefined }) };
}

function workOf(number: number, handle: WorkItem["handle"]): WorkItem {
  const callId = `call-${number}`;
  const ids = { entryId: `entry-${number}`, eventId: `event-${number}`, subject: callId, callId };
  return { ...ids, type: "call.callback-received", eventJson: "{}", handle };
}

const done = async (): Promise<void> => undefined;

it("says once that the ledger is away, and once that it is back, however many events wait for it", async () => {
  let isAway = true;
  const { clock, lines, worker } = startWorker({
    begin: async () => {
      if (isAway) throw new VoiceError("cache_connection_failed", "away");
      return { state: "begun", attempt: 1 };
    },
    finish: done,
    fail: done,
    deadLetter: done,
  });
  const taken = Promise.all([1, 2, 3].map((number) => worker.take(workOf(number, done))));
  await clock.advanceAsync(200);
  expect(lines.map(([sentence]) => sentence)).toEqual(["the event ledger is unreachable"]);
  isAway = false;
  await clock.advanceAsync(20);
  await taken;
  expect(lines.map(([sentence]) => sentence).slice(1)).toEqual(["the event ledger is reachable again"]);
});

it("names the call of an event that fails, and of one that is given up", async () => {
  const { lines, worker } = startWorker({
    begin: async () => ({ state: "begun", attempt: retry.maxAttempts }),
    finish: done,
    fail: done,
    deadLetter: done,
  });
  await worker.take(workOf(1, () => Promise.reject(new Error("broken"))));
  expect(lines).toMatchObject([
    ["an event handler failed", { callId: "call-1", eventId: "event-1" }],
    ["an event was given up", { callId: "call-1", eventId: "event-1", type: "call.callback-received" }],
  ]);
});
