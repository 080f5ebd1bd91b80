import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { createAnswerWatch } from "./answer-watch.ts";

function rig() {
  const clock = new VirtualClock();
  const said: string[] = [];
  const watch = createAnswerWatch(clock, {
    onApology: (failures) => said.push(`apology ${failures}`),
    onGivenUp: () => said.push("given up"),
  });
  return { clock, said, watch };
}

describe("an answer that is waited for", () => {
  it("[FAIL-1] brings an apology when it stays away", () => {
    const { clock, said, watch } = rig();
    watch.expect();
    clock.advance(9_999);
    expect(said).toEqual([]);
    clock.advance(1);
    expect(said).toEqual(["apology 1"]);
  });

  it("[FAIL-5] is given up when the apology stays away too", () => {
    const { clock, said, watch } = rig();
    watch.expect();
    clock.advance(20_000);
    expect(said).toEqual(["apology 1", "given up"]);
  });

  it("[FAIL-2] is given up after three failures in a row, however well the apologies were heard", () => {
    const { said, watch } = rig();
    for (let failure = 0; failure < 3; failure++) {
      watch.fail();
      watch.stop();
      watch.onHeard();
    }
    expect(said).toEqual(["apology 1", "apology 2", "given up"]);
  });

  it("[FAIL-2] forgets the failures once an answer was heard", () => {
    const { said, watch } = rig();
    watch.fail();
    watch.onHeard();
    watch.onHeard();
    watch.fail();
    watch.onHeard();
    watch.fail();
    expect(said).toEqual(["apology 1", "apology 1", "apology 2"]);
  });

  it("is waited for no longer when the caller speaks", () => {
    const { clock, said, watch } = rig();
    watch.expect();
    expect(watch.isWaiting).toBe(true);
    watch.stop();
    expect(watch.isWaiting).toBe(false);
    clock.advance(20_000);
    expect(said).toEqual([]);
  });
});
