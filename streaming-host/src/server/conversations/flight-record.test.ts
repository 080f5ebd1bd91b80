import { expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";
import { flightSegment } from "../../session/flight/flight-segment.ts";
import { replayFlight } from "../../session/flight/replay-flight.ts";

async function typed(environment: Record<string, string>, streamingMode: "REALTIME" | "VOICE_LIVE" = "REALTIME") {
  const rig = conversationsRig({ environment });
  const browser = await rig.connect({ streamingMode });
  await rig.pass(2000);
  browser.type("what is my balance");
  await rig.pass(3000);
  browser.leave();
  await rig.pass(1000);
  const [sessionId = ""] = browser.sessionIds;
  return (await rig.state.flightLog.read(sessionId)).map((piece) => flightSegment.parse(JSON.parse(piece)));
}

it.each(["REALTIME", "VOICE_LIVE"] as const)(
  "[FLIGHT-1] keeps what a conversation in %s met and decided, to be replayed",
  async (mode) => {
    const steps = replayFlight(await typed({ FLIGHT_RECORDER: "true" }, mode));
    expect(steps.every(({ isSame }) => isSame)).toBe(true);
    expect(steps.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: "whole-turn", text: "what is my balance" }),
    );
  },
);

it("keeps nothing without the setting", async () => {
  expect(await typed({})).toEqual([]);
});
