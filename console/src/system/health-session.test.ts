import { expect, it } from "vitest";

import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { Readiness } from "../api/system-api.ts";
import { HealthSession } from "./health-session.ts";

const check = (component: string, status: string) => ({ component, status, check_time_ms: 1 });

function opened(answers: (Readiness | Error)[]) {
  const clock = new VirtualClock();
  let asked = 0;
  const health = new HealthSession(
    {
      readiness: async () => {
        asked += 1;
        const answer = answers.shift() ?? { status: "ready", checks: [] };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    clock,
  );
  return { clock, health, timesAsked: () => asked };
}

it("[OPS-14] [OVERVIEW-22] says on every page what does not work, and that it works again", async () => {
  const broken = { status: "not_ready", checks: [check("speech", "unhealthy"), check("cache", "healthy")] };
  const { clock, health } = opened([broken]);
  const stop = health.watch();
  await clock.advanceAsync(1);
  expect(health.store.get()).toEqual({
    isDown: true,
    isKnown: true,
    trouble: expect.stringMatching(/^No conversation can begin. What does not work: speech/),
  });
  await clock.advanceAsync(4000, 4000);
  expect(health.store.get()).toMatchObject({ isDown: false, trouble: undefined });
  stop();
});

it("says of a part that fails without stopping conversations that the rest works", async () => {
  const { clock, health } = opened([{ status: "degraded", checks: [check("speech", "unhealthy")] }]);
  health.watch();
  await clock.advanceAsync(1);
  expect(health.store.get()).toMatchObject({ isDown: false, trouble: expect.stringContaining("except for") });
});

it("claims nothing where the service does not answer, and asks again until it is stopped", async () => {
  const { clock, health, timesAsked } = opened([new TypeError("no connection")]);
  const stop = health.watch();
  await clock.advanceAsync(1);
  expect(health.store.get()).toMatchObject({ isDown: false, trouble: undefined });
  await clock.advanceAsync(15_000, 15_000);
  expect(timesAsked()).toBe(2);
  stop();
  await clock.advanceAsync(60_000, 15_000);
  expect(timesAsked()).toBe(2);
});
