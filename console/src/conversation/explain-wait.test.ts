import { endOfTurnReasons } from "@voice/provider-kit/ports/end-of-turn";
import { describe, expect, it } from "vitest";
import { explainWait } from "./explain-wait.ts";

describe("why it waited", () => {
  it("says how long, how sure it was, and what told", () => {
    expect(explainWait({ wait_ms: 167, end_of_turn_probability: 0.98 }, ["whole_sentence", "pauses_often"])).toBe(
      "Waited 167 ms, 98 % sure that you had finished: a whole sentence, this caller pauses often.",
    );
  });

  it("has words for every reason that the service gives", () => {
    for (const reason of endOfTurnReasons)
      expect(explainWait({ wait_ms: 1, end_of_turn_probability: 1 }, [reason])).toMatch(/: .+\.$/);
  });

  it("says nothing where nothing was waited for", () => {
    expect(explainWait({ first_audio_ms: 40 })).toBeUndefined();
  });
});
