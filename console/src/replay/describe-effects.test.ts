import { readFileSync } from "node:fs";

import { flightRecord } from "@voice/streaming-host/session/flight/flight-segment";
import { replayFlight } from "@voice/streaming-host/session/flight/replay-flight";
import { describe, expect, it } from "vitest";

import { effectsInWords } from "./describe-effects.ts";
import { factsInWords, nameInWords, valueInWords } from "./format-value.ts";

const answer = {
  type: "begin-reply",
  plan: {
    turnId: "turn-1",
    kind: "answer",
    text: "my balance please",
    anchorMs: 1200,
    prepared: true,
    origin: "session",
    endOfTurn: { probability: 0.967, waitMs: 240, reasons: ["whole_sentence"] },
  },
};

describe("a decision", () => {
  it.each([
    [
      answer,
      "Say the answer to “my balance please”, as it was prepared, if it was; after 240 ms, 97 % sure that the caller had finished (a whole sentence)",
    ],
    [{ type: "begin-reply", plan: { kind: "greeting" } }, "Say the greeting"],
    [
      { type: "begin-reply", plan: { kind: "line", text: "Hold on.", origin: "taken-over" } },
      "Say an operator’s line “Hold on.”, which another host left unsaid",
    ],
    [{ type: "cancel-reply", turnId: "t", reason: "dead_air" }, "Cancel the reply, because no answer comes of it"],
    [
      { type: "cancel-reply", turnId: "t", reason: "passed_on" },
      "Cancel the reply, because without the realtime model it is given in another way",
    ],
    [{ type: "cancel-reply", turnId: "t", reason: "barge_in" }, "Cancel the reply, because the caller interrupts"],
    [{ type: "set-timer", timer: "end-of-turn", delayMs: 700 }, "In 700 ms: the end of the caller’s turn"],
    [{ type: "set-timer", timer: "idle", delayMs: 8500 }, "In 8.5 s: asking a silent caller"],
    [{ type: "end-session", reason: "caller_done" }, "End the conversation, because the caller was done"],
    [{ type: "jump-high", heightMs: 1500 }, "Jump high: Height 1.5 s"],
  ])("is said in words: %j", (effect, words) => {
    expect(effectsInWords([effect], [])).toEqual([words]);
  });

  it("names the timers that ran and are no longer waited for, and says when there is nothing to do", () => {
    const cleared = ["idle", "filler", "hold"].map((timer) => ({ type: "clear-timer", timer }));
    expect(effectsInWords(cleared, ["idle", "filler"])).toEqual([
      "Wait no longer for: asking a silent caller; a filler, if the model is slow",
    ]);
    expect(effectsInWords(cleared, [])).toEqual(["Nothing to do"]);
  });

  it("of a whole conversation contains no JSON", () => {
    const kept = new URL(
      "../../../streaming-host/src/session/flight/kept/thanks-while-the-agent-answers.json",
      import.meta.url,
    );
    const { segments } = flightRecord.parse(JSON.parse(readFileSync(kept, "utf8")));
    const lines = replayFlight(segments).flatMap(({ recorded, stoppedThen }) => effectsInWords(recorded, stoppedThen));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => /[{}[\]"]|undefined|NaN/.test(line))).toEqual([]);
  });
});

describe("a value", () => {
  it.each([
    ["lastedMs", 90.2, "90 ms"],
    ["replyRemainingMs", Number.POSITIVE_INFINITY, "no end known"],
    ["probability", 0.123, "12 %"],
    ["isPaused", true, "yes"],
    ["finals", ["I want", "to pay"], "I want, to pay"],
    ["reply", { turnId: "turn-1", kind: "answer", isOnlyFiller: undefined }, "Turn id turn-1, kind answer"],
    ["turnCount", 3, "3"],
    ["reasons", ["whole_sentence", "settled"], "whole sentence, settled"],
  ])("is said in words: %s", (name, value, words) => {
    expect(valueInWords(name, value)).toBe(words);
  });

  it("has a name without its unit", () => {
    expect(["unheardMs", "owesAnswer", "turnId"].map(nameInWords)).toEqual(["Unheard", "Owes answer", "Turn id"]);
    expect(factsInWords({ lastedMs: 2000, prosody: undefined })).toBe("Lasted 2 s");
  });
});
