import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { CheckFailure, runChecks, type Check } from "./check.ts";

const check = (name: string, run: Check["run"]): Check => ({ name, advice: "the usual advice", run });

it("reports every check in the order of asking, with the cause of what failed and what to do", async () => {
  const refused = new VoiceError("upstream_unavailable", "no connection", { cause: new Error("ECONNREFUSED") });
  const findings = await runChecks(
    [
      check("well", () => Promise.resolve("seen")),
      check("away", () => Promise.reject(refused)),
      check("odd", () => Promise.reject(new CheckFailure("half of it", "mend the other half"))),
    ],
    new VirtualClock(),
  );
  expect(findings).toEqual([
    { name: "well", ok: true, detail: "seen", tookMs: 0 },
    { name: "away", ok: false, detail: "no connection: ECONNREFUSED", advice: "the usual advice", tookMs: 0 },
    { name: "odd", ok: false, detail: "half of it", advice: "mend the other half", tookMs: 0 },
  ]);
});

it("waits for nobody longer than twenty seconds", async () => {
  const clock = new VirtualClock();
  const report = runChecks([check("silent", () => new Promise(() => undefined))], clock);
  await clock.advanceAsync(20_000, 10_000);
  expect(await report).toMatchObject([{ ok: false, detail: "no answer within 20 s", tookMs: 20_000 }]);
  expect(clock.pendingTimers).toBe(0);
});
