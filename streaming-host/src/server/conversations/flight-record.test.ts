import { VoiceError } from "@voice/shared/platform/errors";
import { expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";
import { flightSegment } from "../../session/flight/flight-segment.ts";
import { replayFlight } from "../../session/flight/replay-flight.ts";

async function typed(
  environment: Record<string, string>,
  streamingMode: "REALTIME" | "VOICE_LIVE" = "REALTIME",
  failure?: VoiceError,
) {
  const rig = conversationsRig({ environment });
  if (failure !== undefined) rig.languageModel.failure = failure;
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
  "[FLIGHT-1a] keeps what a conversation in %s met and decided, to be replayed",
  async (mode) => {
    const steps = replayFlight(await typed({ FLIGHT_RECORDER: "true" }, mode));
    expect(steps.every(({ isSame }) => isSame)).toBe(true);
    expect(steps.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: "whole-turn", text: "what is my balance" }),
    );
  },
);

it("[FLIGHT-1c] [FLIGHT-1d] keeps why an answer failed, but nothing that only the log may hold", async () => {
  const failure = new VoiceError("rate_limited", "secret words", { reason: "the endpoint answered 429" });
  const steps = replayFlight(await typed({ FLIGHT_RECORDER: "true" }, "REALTIME", failure));
  const cause = { code: "rate_limited", reason: "the endpoint answered 429" };
  expect(steps.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: "reply-failed", failure: "model", cause }),
  );
  expect(JSON.stringify(steps)).not.toContain("secret words");
});

it("keeps nothing without the setting", async () => {
  expect(await typed({})).toEqual([]);
});
