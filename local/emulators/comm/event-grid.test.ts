import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { createEventGrid } from "./event-grid.ts";
import type { DeliveryRetries } from "./event-grid.ts";

const call = { from: "+12025550100", to: "+12025550199", serverCallId: "server", correlationId: "correlation" };

/** Answers the deliveries of one incoming call with these statuses in order, and every later one with 200. */
async function deliver(retries: DeliveryRetries, ...statuses: readonly number[]) {
  const clock = new VirtualClock();
  const left = [...statuses];
  const attemptsMs: number[] = [];
  const grid = createEventGrid({
    clock,
    signal: new AbortController().signal,
    copies: 1,
    retries,
    post: async (_url, kind, event) => {
      if (kind === "SubscriptionValidation") {
        const { validationCode } = Object(Reflect.get(Object(event), "data"));
        return { status: 200, body: { validationResponse: validationCode } };
      }
      attemptsMs.push(Math.round(clock.now() / 1000) * 1000);
      return { status: left.shift() ?? 200, body: undefined };
    },
  });
  await grid.subscribe("http://127.0.0.1/answer");
  let outcome: number | undefined;
  void grid.deliverIncomingCall(call, "context").then((status) => (outcome = status));
  await clock.advanceAsync(1);
  await clock.advanceAsync(900_000, 1000);
  return { attemptsMs, outcome };
}

it("delivers again after 10 s, 30 s and a minute, as the service documents it", async () => {
  expect(await deliver("as documented", 500, 0, 502)).toEqual({
    attemptsMs: [0, 10_000, 40_000, 100_000],
    outcome: 200,
  });
});

it("waits longer for who says that it is busy, slow or not there, which is longer than a caller waits", async () => {
  expect((await deliver("as documented", 503)).attemptsMs).toEqual([0, 30_000]);
  expect((await deliver("as documented", 408)).attemptsMs).toEqual([0, 120_000]);
  expect((await deliver("as documented", 404)).attemptsMs).toEqual([0, 300_000]);
});

it.each([400, 401, 403, 413])("does not deliver again what was refused with %i", async (status) => {
  for (const retries of ["as documented", "soon"] as const)
    expect(await deliver(retries, status)).toEqual({ attemptsMs: [0], outcome: status });
});

it("delivers again soon, by choice", async () => {
  expect(await deliver("soon", 503, 500)).toEqual({ attemptsMs: [0, 1000, 4000], outcome: 200 });
});
