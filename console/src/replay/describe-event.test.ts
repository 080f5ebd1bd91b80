import type { TimelessTurnEvent } from "@voice/streaming-host/session/turn/turn-events";
import { expect, it } from "vitest";

import { eventDetails, eventInWords, gistOf } from "./describe-event.ts";

const at = (sessionMs: number): string => `${(sessionMs / 1000).toFixed(2)} s`;

it.each<[TimelessTurnEvent, string]>([
  [{ type: "session-started", firstMove: "greet" }, "The conversation begins: It begins with the greeting."],
  [
    { type: "session-started", firstMove: "listen", announces: true, hasGap: true },
    "The conversation begins: The agent listens first, after an announcement. What the caller said before may be lost.",
  ],
  [{ type: "speech-started", sinceMs: 1234 }, "The caller begins to speak: Since 1.23 s."],
  [{ type: "speech-stopped", stoppedMs: 2000 }, "The caller stops speaking: Silent since 2.00 s."],
  [
    { type: "voice-judged", stoppedMs: 2000, probability: 0.9 },
    "A model judged the voice: 90 % sure that the caller had finished at 2.00 s.",
  ],
  [
    { type: "partial", text: "my", sentence: "beginning", endedMs: 2000 },
    "Heard so far “my”: The beginning of a sentence.",
  ],
  [
    { type: "final", text: "my balance", endedMs: 2000, replyRemainingMs: Number.POSITIVE_INFINITY },
    "Understood “my balance”: The words ended at 2.00 s. The agent was still speaking.",
  ],
  [
    { type: "final", text: "", guess: "my balance", endedMs: 2000, replyRemainingMs: 1500 },
    "Understood “”: It may have been “my balance”. The words ended at 2.00 s. The agent had 1.5 s left to say.",
  ],
  [{ type: "whole-turn", text: "12#" }, "Written or keyed “12#”: "],
  [{ type: "paused", isPaused: true }, "The page pauses, or goes on: It pauses."],
  [{ type: "reply-audible", turnId: "turn-2" }, "The reply is heard: Turn 2."],
  [
    { type: "reply-failed", turnId: "turn-2", failure: "stalled" },
    "The reply failed: Nothing came for too long, in turn 2.",
  ],
  [
    {
      type: "reply-failed",
      turnId: "turn-2",
      failure: "model",
      cause: { code: "upstream_unavailable", reason: "the language model's endpoint could not be reached" },
    },
    "The reply failed because the language model's endpoint could not be reached: The language model failed, in turn 2. " +
      "The cause: the language model's endpoint could not be reached (upstream_unavailable).",
  ],
  [
    { type: "reply-failed", turnId: "turn-2", failure: "voice", cause: { code: "rate_limited" } },
    "The reply failed: The agent’s voice failed, in turn 2. The cause: rate_limited.",
  ],
  [
    { type: "model-lost", hearsWords: true, isReplyUnfinished: false },
    "The realtime model is gone: The caller had said something that was not recognised yet.",
  ],
  [
    { type: "effect-ended", isHold: false, words: "regret" },
    "Something was done with the call: The caller has to be told how it went.",
  ],
  [
    { type: "last-words", text: "Bye.", reason: "draining" },
    "Last words are given “Bye.”: The reason: the service was restarting.",
  ],
  [{ type: "timer", timer: "idle" }, "Time is up for asking a silent caller: "],
  [
    {
      type: "timer",
      timer: "dead-air",
      cause: { code: "upstream_timeout", reason: "nothing came from the tool look_up in time" },
    },
    "Time is up for giving up a silent agent because nothing came from the tool look_up in time: " +
      "The cause: nothing came from the tool look_up in time (upstream_timeout).",
  ],
  [
    {
      type: "farewell-requested",
      reason: "recogniser_lost",
      cause: { code: "rate_limited", reason: "the endpoint answered 429" },
    },
    "Time to say goodbye because the endpoint answered 429: The reason: speech recognition failed. " +
      "The cause: the endpoint answered 429 (rate_limited).",
  ],
])("an event is said in words: %j", (event, words) => {
  const timed = { ...event, atMs: 5000 };
  expect(
    `${[eventInWords(timed), gistOf(timed)].filter((part) => part !== "").join(" ")}: ${eventDetails(timed, at)}`,
  ).toBe(words);
});
