import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { createStateProbe } from "./state-probe.ts";

function probe(ping: () => Promise<{ latencyMs: number }>) {
  const clock = new VirtualClock();
  let pings = 0;
  const ask = createStateProbe(
    {
      ping: () => {
        pings++;
        return ping();
      },
    },
    clock,
  );
  return { clock, ask, pings: () => pings };
}

it("asks once for everybody within a second", async () => {
  const { clock, ask, pings } = probe(async () => ({ latencyMs: 1 }));
  expect(await Promise.all([ask(), ask()])).toEqual([true, true]);
  clock.advance(999);
  await ask();
  expect(pings()).toBe(1);
  clock.advance(1);
  expect(await ask()).toBe(true);
  expect(pings()).toBe(2);
});

it("takes a refusal for an absence", async () => {
  const { ask } = probe(() => Promise.reject(new VoiceError("cache_connection_failed", "away")));
  expect(await ask()).toBe(false);
});

it("takes a second of silence for an absence", async () => {
  const { clock, ask } = probe(() => new Promise(() => undefined));
  const answer = ask();
  clock.advance(1000);
  expect(await answer).toBe(false);
});
