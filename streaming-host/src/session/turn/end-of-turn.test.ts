import { createEndOfTurnEstimator, longestWaitMs } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { describe, expect, it } from "vitest";
import { TurnRig } from "../../testing/turn-rig.ts";

const estimator = createEndOfTurnEstimator(packOf("en"));

/** The last reply; fails the test where there is none. */
function lastReply(rig: TurnRig) {
  const reply = rig.replies.at(-1);
  if (reply === undefined) throw new Error("no reply has begun");
  return reply;
}

describe("end of turn", () => {
  it("[TURN-1] waits for final text however long the silence, up to its limit", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    rig.wait(1000);
    expect(rig.replies).toEqual([]);
    rig.final("what is my balance");
    expect(lastReply(rig)).toMatchObject({ text: "what is my balance", anchorMs: 1000, kind: "answer" });
  });

  it("[TURN-2a] ends an ordinary turn VAD_SILENCE_TIMEOUT after the caller stopped, to the millisecond", () => {
    for (const silenceMs of [300, 500, 900]) {
      const rig = new TurnRig({ silenceMs });
      rig.speak(1000);
      rig.final("what is my balance");
      rig.wait(2000);
      expect(lastReply(rig).atMs).toBe(1000 + silenceMs);
    }
  });

  it("[TURN-2c] ends the turn at once when the final comes after the wait", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my");
    rig.wait(500);
    rig.final("what is my balance");
    expect(lastReply(rig).atMs).toBe(1660);
  });

  it("[TURN-2c] asks the recogniser for its final when the wait is over", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    rig.wait(1000);
    expect(rig.of("flush-recogniser").map(({ atMs }) => atMs)).toEqual([1500]);
  });

  it("[TURN-2b] [TURN-2d] waits as long as the estimator says, and tells the reply what that was", () => {
    const estimate = { probability: 0.9, waitMs: 321, reasons: ["asked_for"] } as const;
    const rig = new TurnRig({ estimator: { estimate: () => estimate } });
    rig.speak(1000);
    rig.final("what is my balance");
    rig.wait(2000);
    expect(lastReply(rig)).toMatchObject({ atMs: 1321, endOfTurn: estimate });
  });

  it("[TURN-2b] tells the estimator whether the words are final", () => {
    const asked: [text: string, isFinal: boolean][] = [];
    const rig = new TurnRig({
      estimator: {
        estimate({ text, isFinal, middleMs }) {
          asked.push([text, isFinal]);
          return { probability: 0.5, waitMs: middleMs, reasons: ["settled"] };
        },
      },
    });
    rig.speak(1000, "what is");
    rig.final("what is my balance");
    expect(asked).toEqual([
      ["what is", false],
      ["what is my balance", true],
    ]);
  });

  it("[TURN-17a] waits anew by what a model finds in the voice, even where it finds it late", () => {
    const waits = [0.99, undefined, 0.01].map((probability) => {
      const rig = new TurnRig({ estimator });
      rig.speak(1000);
      rig.final("the green one");
      const stoppedMs = rig.clock.now() - 160;
      rig.wait(40);
      if (probability !== undefined) rig.send({ type: "voice-judged", stoppedMs, probability });
      rig.wait(3000);
      return lastReply(rig).atMs - stoppedMs;
    });
    const [finished = 0, unknown = 0, goesOn = 0] = waits;
    expect(finished).toBeLessThan(unknown);
    expect(finished).toBeLessThan(250);
    expect(goesOn).toBeGreaterThan(2 * unknown);
  });

  it("[TURN-17b] forgets what was found in the voice when the caller goes on", () => {
    const rig = new TurnRig({ estimator });
    rig.speak(1000, "the green one");
    const stoppedMs = rig.clock.now() - 160;
    rig.send({ type: "voice-judged", stoppedMs, probability: 0.01 });
    rig.speak(600, "the green one the big one");
    rig.send({ type: "voice-judged", stoppedMs, probability: 0.99 });
    expect(rig.state.user.voice).toBeUndefined();
    rig.final("the green one the big one");
    rig.wait(3000);
    expect(lastReply(rig).endOfTurn?.reasons).not.toContain("voice_finished");
  });

  it("[TURN-3a] takes a short answer after less than 250 ms", () => {
    const rig = new TurnRig({ estimator });
    rig.speak(400, "yes");
    rig.wait(60);
    expect(rig.of("flush-recogniser")).toHaveLength(1);
    rig.final("yes");
    expect(lastReply(rig).atMs).toBeLessThan(650);
  });

  it("[TURN-3c] takes a whole sentence of those that are expected sooner than one that may go on", () => {
    const waits = (["whole", "whole-so-far", "beginning"] as const).map((sentence) => {
      const rig = new TurnRig({ estimator });
      rig.speak(1000);
      rig.send({ type: "final", text: "what is my balance", sentence, endedMs: 1000, replyRemainingMs: Infinity });
      rig.wait(3000);
      return lastReply(rig).atMs - 1000;
    });
    expect(waits[0]).toBeLessThan(250);
    expect(waits[1]).toBeGreaterThan(300);
    expect(waits[2]).toBeGreaterThan(1200);
  });

  it("[TURN-3b] takes all of the digits that were asked for at once, and waits for those that are missing", () => {
    const expected = { kind: "digits", length: 4 } as const;
    const rig = new TurnRig({ estimator, expected });
    rig.speak(1000);
    rig.final("seven two");
    rig.wait(900);
    expect(rig.replies).toEqual([]);
    rig.speak(800);
    rig.final("nine six");
    rig.wait(90);
    expect(lastReply(rig).text).toBe("seven two nine six");
  });

  it("[TURN-4a] [TURN-4b] is patient with digits, spelled letters, conjunctions and hesitations", () => {
    for (const text of ["my number is four one", "my name is b", "i want that and", "i would like um"]) {
      const rig = new TurnRig({ estimator });
      rig.speak(1000);
      rig.final(text);
      rig.wait(900);
      expect(rig.replies).toEqual([]);
      rig.wait(longestWaitMs);
      expect(rig.replies).toHaveLength(1);
    }
  });

  it("[TURN-4c] learns that a caller pauses in the middle of sentences", () => {
    const waited = (pauses: number): number => {
      const rig = new TurnRig({ estimator });
      for (let count = 0; count < pauses; count++) {
        rig.speak(500, "i want");
        rig.wait(300);
      }
      rig.speak(500);
      const stoppedMs = rig.clock.now() - 160;
      rig.final("i want to see the meadow");
      rig.wait(3000);
      return lastReply(rig).atMs - stoppedMs;
    };
    expect(waited(3)).toBeGreaterThan(waited(0) * 1.2);
  });

  it("[TURN-4d] says nothing to a hesitation", () => {
    const rig = new TurnRig({ estimator, expected: { kind: "anything" } });
    rig.speak(400, "um");
    rig.final("um");
    rig.wait(5000);
    expect(rig.replies).toEqual([]);
  });

  it("[TURN-5] joins what is said in two breaths", () => {
    const rig = new TurnRig({ estimator });
    rig.speak(1000);
    rig.final("my card number is four one");
    rig.wait(700);
    rig.speak(800);
    rig.final("seven nine");
    rig.wait(3000);
    expect(rig.replies).toHaveLength(1);
    expect(lastReply(rig).text).toBe("my card number is four one seven nine");
    expect(lastReply(rig).anchorMs).toBe(2660);
  });

  it("[TURN-6a] takes the partial when VAD_TIMEOUT_MS brought no final", () => {
    for (const silenceTimeoutMs of [1500, 2000]) {
      const rig = new TurnRig({ silenceTimeoutMs });
      rig.speak(1000, "what is my balance");
      rig.wait(5000);
      expect(lastReply(rig)).toMatchObject({ text: "what is my balance", atMs: 1000 + silenceTimeoutMs });
    }
  });

  it("[TURN-6a] counts from the turn's end where neither the detector nor a final says when the caller stopped", () => {
    const rig = new TurnRig();
    rig.partial("what is my balance");
    rig.wait(5000);
    expect(lastReply(rig)).toMatchObject({ text: "what is my balance", atMs: 2000, anchorMs: 2000 });
  });

  it("[TURN-6b] answers once when the final comes after all", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    rig.wait(2500);
    rig.audible();
    rig.final("what is my balance");
    rig.wait(1000);
    expect(rig.replies).toHaveLength(1);
    expect(rig.of("cancel-reply")).toEqual([]);
  });

  it("[TURN-6b] [TURN-6c] [TURN-11] tells the late final of an answered turn from what is said next", () => {
    const rig = new TurnRig();
    rig.speak(1000, "what is my balance");
    rig.wait(2500);
    rig.audible();
    rig.send({ type: "speech-started", sinceMs: rig.clock.now() });
    rig.send({ type: "final", text: "what is my balance", endedMs: 1100, replyRemainingMs: Number.POSITIVE_INFINITY });
    expect(rig.of("cancel-reply")).toEqual([]);
    rig.wait(700);
    rig.final("i lost my card");
    expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.wait(500);
    expect(lastReply(rig).text).toBe("i lost my card");
  });

  describe("[TURN-11] after a turn that ended without its final", () => {
    /** "what is my balance" was answered at 3000, and its final has not come. */
    function answeredEarly(): TurnRig {
      const rig = new TurnRig();
      rig.speak(1000, "what is my balance");
      rig.wait(2500);
      rig.audible();
      expect(rig.replies).toHaveLength(1);
      return rig;
    }
    const final = (rig: TurnRig, text: string, endedMs: number): void =>
      rig.send({ type: "final", text, endedMs, replyRemainingMs: Number.POSITIVE_INFINITY });

    it("[TURN-6c] hears words that the detector does not, although that final never comes", () => {
      const rig = answeredEarly();
      rig.wait(2000);
      rig.final("i lost my card");
      expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
      rig.wait(500);
      expect(rig.replies.map(({ text }) => text)).toEqual(["what is my balance", "i lost my card"]);
    });

    it("[TURN-6b] answers what that final has beyond the words that were answered, and only that", () => {
      const rig = answeredEarly();
      final(rig, "What is my balance, and when is my payment due?", 1000);
      rig.wait(1500);
      expect(rig.replies.map(({ text }) => text)).toEqual(["what is my balance", "and when is my payment due?"]);
    });

    it.each([
      ["has other words for the same", "what is my ballance", 1000],
      ["finds no word after all", "", 1000],
      ["has fewer words", "what is my", 1000],
      ["comes from a recogniser that dates it to its report", "What is my balance?", 3600],
    ])("[TURN-6b] says nothing more when that final %s", (_how, text, endedMs) => {
      const rig = answeredEarly();
      final(rig, text, endedMs);
      rig.wait(2000);
      expect(rig.of("cancel-reply")).toEqual([]);
      rig.drained();
      rig.wait(2000);
      expect(rig.replies).toHaveLength(1);
    });

    it("[TURN-6c] takes the same words for new when the caller was heard to say them again", () => {
      const rig = answeredEarly();
      rig.drained();
      rig.speak(800, "what is my balance");
      rig.final("what is my balance");
      rig.wait(1000);
      expect(rig.replies).toHaveLength(2);
    });

    it("does not take a partial of those words for what the caller says now", () => {
      const rig = answeredEarly();
      rig.drained();
      rig.wait(500);
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
      rig.partial("what is my ballance", 1000);
      rig.wait(300);
      rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() - 160 });
      rig.wait(2500);
      expect(rig.replies).toHaveLength(1);
    });

    it("[TAKE-3a] says nothing more when the caller was asked to repeat it", () => {
      const rig = new TurnRig();
      rig.send({ type: "session-started", firstMove: "listen", hasGap: true });
      rig.speak(1000, "what is my");
      rig.wait(2500);
      expect(rig.replies).toMatchObject([{ kind: "apology" }]);
      rig.audible();
      final(rig, "what is my balance", 1000);
      rig.wait(2000);
      expect(rig.replies).toHaveLength(1);
    });
  });

  it("[TURN-8b] [TURN-8c] [TURN-11] keeps the final of somebody who types while speaking", () => {
    const rig = new TurnRig();
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.partial("i lost");
    rig.send({ type: "whole-turn", text: "hello" });
    rig.wait(800);
    rig.final("i lost my card");
    rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
    rig.wait(1000);
    expect(lastReply(rig).text).toBe("i lost my card");
  });

  describe("[TURN-11] when the caller has gone on speaking, and types", () => {
    /** Words were said until 1000, and the caller has been speaking again since 1500. */
    function speakingAgain(): TurnRig {
      const rig = new TurnRig({ bargeInEnabled: false });
      rig.speak(1000);
      rig.wait(460);
      rig.send({ type: "speech-started", sinceMs: 1500 });
      return rig;
    }
    const finalOfTheFirst = (rig: TurnRig): void =>
      rig.send({ type: "final", text: "i lost my card", endedMs: 1000, replyRemainingMs: Number.POSITIVE_INFINITY });
    const fallsSilent = (rig: TurnRig): void => {
      rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
      rig.audible();
      rig.drained();
      rig.wait(2500);
    };

    it.each([
      ["the late partial of what was said before", finalOfTheFirst],
      ["that, and a partial of it that comes again", (rig: TurnRig) => rig.partial("i lost my cards", 1000)],
    ])("[TURN-8c] answers %s once", (_what, comes) => {
      const rig = speakingAgain();
      rig.partial("i lost my card", 1000);
      rig.send({ type: "whole-turn", text: "stop" });
      comes(rig);
      fallsSilent(rig);
      expect(rig.replies.map(({ text }) => text)).toEqual(["stop i lost my card"]);
    });

    it("[TURN-8b] answers the final of what was said before that comes after a partial of what is said now", () => {
      const rig = speakingAgain();
      rig.partial("yesterday");
      rig.send({ type: "whole-turn", text: "stop" });
      finalOfTheFirst(rig);
      fallsSilent(rig);
      expect(rig.replies.map(({ text }) => text)).toEqual(["stop yesterday", "i lost my card"]);
    });
  });

  it("[TURN-6a] answers nothing when there were no words", () => {
    const rig = new TurnRig();
    rig.speak(300);
    rig.wait(2500);
    expect(rig.replies).toEqual([]);
  });

  it("[TURN-7a] does not wait for a detector that hears speech for ever", () => {
    const rig = new TurnRig();
    rig.wait(120);
    rig.send({ type: "speech-started", sinceMs: 0 });
    rig.wait(880);
    rig.final("what is my balance");
    rig.wait(5000);
    expect(lastReply(rig).atMs).toBe(3000);
  });

  it("[TURN-8a] takes typed text as a whole turn and lets it interrupt", () => {
    const rig = new TurnRig();
    rig.send({ type: "whole-turn", text: "hello" });
    expect(lastReply(rig)).toMatchObject({ text: "hello", atMs: 0, anchorMs: 0 });
    rig.audible();
    rig.send({ type: "whole-turn", text: "no, wait" });
    expect(rig.of("cancel-reply")).toMatchObject([{ turnId: "turn-1", reason: "barge_in" }]);
    expect(lastReply(rig).text).toBe("no, wait");
  });

  it("[TURN-8a] answers a typed hesitation, also where the agent has to finish first", () => {
    const rig = new TurnRig({ estimator });
    rig.send({ type: "whole-turn", text: "hmm" });
    expect(lastReply(rig)).toMatchObject({ text: "hmm", atMs: 0 });
    const early = new TurnRig({ estimator });
    early.send({ type: "session-started", firstMove: "listen", announces: true });
    early.audible();
    early.send({ type: "whole-turn", text: "hmm" });
    expect(early.of("begin-reply")).toHaveLength(1);
    early.drained();
    early.wait(2000);
    expect(lastReply(early)).toMatchObject({ kind: "answer", text: "hmm" });
  });

  it("[TURN-11] keeps what is said over a reply that may not be interrupted and answers it afterwards", () => {
    const rig = new TurnRig({ bargeInEnabled: false });
    rig.send({ type: "session-started", firstMove: "greet" });
    rig.audible();
    rig.speak(1000);
    rig.final("i lost my card");
    rig.wait(1000);
    expect(rig.replies).toHaveLength(1);
    rig.drained();
    expect(lastReply(rig)).toMatchObject({ text: "i lost my card", kind: "answer" });
  });

  it("[TURN-12a] ends the turn with the next final when the client says that the caller has finished", () => {
    const rig = new TurnRig();
    rig.speak(1000, "my number is four");
    rig.send({ type: "caller-finished" });
    expect(rig.of("flush-recogniser")).not.toEqual([]);
    rig.final("my number is four");
    expect(lastReply(rig).atMs).toBe(1160);
    expect(lastReply(rig).endOfTurn).toBeUndefined();
  });

  describe("[TURN-12a] [TURN-11] in whichever order the client's end, the words and the detector's end come", () => {
    const words = "what is my balance";
    const guess = "the recogniser has a guess";
    const final = "the words are final";
    const detected = "the detector hears the end";
    const news = new Map<string, (rig: TurnRig) => void>([
      ["the client says that the caller has finished", (rig) => rig.send({ type: "caller-finished" })],
      [guess, (rig) => rig.partial(words)],
      [final, (rig) => rig.final(words)],
      [detected, (rig) => rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() - 160 })],
    ]);
    const orders = permutations([...news.keys()]).filter((order) => order.indexOf(guess) < order.indexOf(final));
    /** As after a flush over a network, at once, and with every timer of the turn in between. */
    const gapsMs = [60, 0, 1900];

    it.each(orders)("%s, %s, %s, %s: one answer, within the wait for more", (...order) => {
      for (const gapMs of gapsMs)
        for (const isHeard of [true, false]) {
          const rig = new TurnRig();
          rig.send({ type: "session-started", firstMove: "listen" });
          rig.wait(120);
          if (isHeard) rig.send({ type: "speech-started", sinceMs: 0 });
          let lastMs = rig.clock.now();
          for (const [at, name] of order.entries()) {
            rig.wait(at === 0 ? 880 : gapMs);
            if (name === detected && !isHeard) continue;
            news.get(name)?.(rig);
            lastMs = rig.clock.now();
          }
          rig.wait(2000);
          const context = { order, gapMs, isHeard };
          expect({ ...context, texts: rig.replies.map(({ text }) => text) }).toEqual({ ...context, texts: [words] });
          expect(lastReply(rig).atMs).toBeLessThanOrEqual(lastMs + 500);
        }
    });
  });

  describe("[TURN-12a] when sound goes on or begins again before the final is there", () => {
    /** The client's end comes in the middle of a sound, which the detector finds again 120 ms later. */
    function goesOn(rig: TurnRig): void {
      rig.wait(120);
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
      rig.wait(800);
      rig.send({ type: "caller-finished" });
      rig.wait(120);
      rig.send({ type: "speech-started", sinceMs: rig.clock.now() - 120 });
    }

    it("ends the turn with that final, and does not wait for the sound to end", () => {
      const rig = new TurnRig();
      goesOn(rig);
      rig.wait(60);
      rig.final("what is my balance");
      expect(rig.replies).toMatchObject([{ text: "what is my balance", atMs: 1100, anchorMs: 920 }]);
    });

    it("ends an interruption with it just as soon", () => {
      const rig = new TurnRig();
      rig.send({ type: "session-started", firstMove: "greet" });
      rig.audible();
      goesOn(rig);
      rig.final("what is my balance");
      expect(rig.of("cancel-reply")).toMatchObject([{ reason: "barge_in" }]);
      expect(rig.replies.at(-1)).toMatchObject({ text: "what is my balance", atMs: 1040 });
    });

    it("knows a final that takes longer by when its words ended", () => {
      const rig = new TurnRig();
      goesOn(rig);
      rig.wait(1000);
      rig.send({ type: "final", text: "what is my balance", endedMs: 910, replyRemainingMs: 0 });
      expect(rig.replies).toMatchObject([{ text: "what is my balance", atMs: 2040 }]);
    });

    it("[TURN-5] waits for the end of what is said later", () => {
      const rig = new TurnRig();
      goesOn(rig);
      rig.wait(1000);
      rig.final("what is my balance");
      rig.wait(500);
      expect(rig.replies).toEqual([]);
      rig.send({ type: "speech-stopped", stoppedMs: rig.clock.now() });
      rig.wait(500);
      expect(rig.replies).toMatchObject([{ text: "what is my balance" }]);
    });
  });

  it("[TURN-12a] [TURN-11] answers what is said after an interruption that the recogniser only guessed at", () => {
    for (const gapMs of [500, 1900, 1940, 1960, 2000, 2100, 3500]) {
      const rig = new TurnRig();
      rig.send({ type: "session-started", firstMove: "greet" });
      rig.audible();
      rig.partial("please stop that");
      rig.wait(gapMs);
      if (rig.replies.length > 1) rig.audible();
      rig.send({ type: "caller-finished" });
      rig.wait(60);
      rig.final("what is my balance");
      expect({ gapMs, answered: lastReply(rig).text }).toEqual({ gapMs, answered: "what is my balance" });
    }
  });

  it("[TURN-12b] forgets the end of a turn in which nothing was said", () => {
    const rig = new TurnRig();
    rig.send({ type: "caller-finished" });
    rig.speak(1000);
    rig.final("what is my balance");
    expect(rig.replies).toEqual([]);
    rig.wait(340);
    expect(lastReply(rig).atMs).toBe(1500);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
