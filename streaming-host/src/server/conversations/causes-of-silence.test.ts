/** What operators find of an agent that fell silent: in the flight record, and among the host's last failures. */
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { conversationsRig } from "../../testing/conversations-rig.ts";
import { flightSegment } from "../../session/flight/flight-segment.ts";
import { replayFlight } from "../../session/flight/replay-flight.ts";

type Rig = ReturnType<typeof conversationsRig>;

interface Silence {
  readonly streamingMode?: "REALTIME" | "VOICE_LIVE" | "TRANSCRIPTION";
  /** Once the agent has greeted. */
  readonly breaks: (rig: Rig) => void;
}

/** A conversation in which the caller asks something, and what is left of it. */
async function silence({ streamingMode = "REALTIME", breaks }: Silence) {
  const noted: unknown[] = [];
  const rig = conversationsRig({
    environment: { FLIGHT_RECORDER: "true", CLOUD_VOICELIVE_FALLBACK: "false" },
    options: { failures: { note: (failure) => void noted.push(failure) } },
  });
  const browser = await rig.connect({ streamingMode });
  await rig.pass(2000);
  breaks(rig);
  browser.type("what is my balance today please. and what was it on the day before yesterday.");
  await rig.pass(20_000);
  browser.leave();
  await rig.pass(1000);
  const [sessionId = ""] = browser.sessionIds;
  const pieces = await rig.state.flightLog.read(sessionId);
  const steps = replayFlight(pieces.map((piece) => flightSegment.parse(JSON.parse(piece))));
  return { noted, events: steps.map(({ event }) => event), isSame: steps.every((step) => step.isSame) };
}

const timeout = (words: string) => ({ code: "upstream_timeout", reason: `nothing came from ${words} in time` });
const refused = new VoiceError("rate_limited", "secret words", { reason: "the endpoint answered 429" });
const limited = { code: "rate_limited", reason: "the endpoint answered 429" };

describe("[FLIGHT-1c] [OPS-7c] an agent that falls silent", () => {
  it.each<[string, Silence, object, object]>([
    [
      "because the model hangs",
      { breaks: ({ languageModel }) => (languageModel.hangs = true) },
      { type: "timer", timer: "dead-air", cause: timeout("the language model") },
      { part: "model", ...timeout("the language model") },
    ],
    [
      "because the voice hangs",
      { breaks: ({ synthesiser }) => (synthesiser.delayMs = 60_000) },
      { type: "timer", timer: "dead-air", cause: timeout("the agent's voice") },
      { part: "voice", ...timeout("the agent's voice") },
    ],
    [
      "because the voice stops in mid answer",
      { breaks: ({ synthesiser }) => (synthesiser.hangsOn = "and what was it on the day before yesterday..") },
      { type: "reply-failed", failure: "stalled", cause: timeout("the agent's voice") },
      { part: "voice", ...timeout("the agent's voice") },
    ],
    [
      "because the model stops in mid answer",
      { breaks: ({ languageModel }) => (languageModel.hangsAtEnd = true) },
      { type: "reply-failed", failure: "stalled", cause: timeout("the language model") },
      { part: "model", ...timeout("the language model") },
    ],
    [
      "because the caller is not heard any more",
      { breaks: ({ recogniser }) => recogniser.loseForGood(refused) },
      { type: "farewell-requested", reason: "recogniser_lost", cause: limited },
      { part: "recogniser", ...limited },
    ],
    [
      "because the realtime model fails a response",
      {
        streamingMode: "VOICE_LIVE",
        breaks: ({ realtimeModel }) =>
          realtimeModel.emit(
            { type: "response-started", responseId: "r" },
            { type: "response-finished", responseId: "r", status: "failed", error: refused },
          ),
      },
      { type: "reply-failed", failure: "model", cause: limited },
      { part: "realtime-model", ...limited },
    ],
    [
      "because the realtime model's connection is lost, and no other is to be had",
      {
        streamingMode: "VOICE_LIVE",
        breaks: ({ realtimeModel }) => {
          realtimeModel.refusals.push(...Array.from({ length: 100 }, () => refused));
          realtimeModel.end(refused);
        },
      },
      { type: "reply-lost", cause: limited },
      { part: "realtime-model", ...limited },
    ],
    [
      "because the realtime model says nothing",
      { streamingMode: "VOICE_LIVE", breaks: () => undefined },
      {
        type: "timer",
        timer: "dead-air",
        cause: { code: "upstream_unavailable", reason: "nothing came from the realtime model in time" },
      },
      { part: "realtime-model", reason: "nothing came from the realtime model in time" },
    ],
  ])("%s has that cause in its flight record, and among the last failures", async (_why, how, event, failure) => {
    const { events, noted, isSame } = await silence(how);
    expect(events).toContainEqual(expect.objectContaining(event));
    expect(noted).toContainEqual(expect.objectContaining(failure));
    expect([isSame, JSON.stringify([events, noted]).includes("secret words")]).toEqual([true, false]);
  });
});
