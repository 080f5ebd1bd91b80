import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { RecognisedText } from "@voice/provider-kit/ports/recogniser";
import { describe, expect, it } from "vitest";
import { knownValuesOf } from "./known-values.ts";
import type { OpenQuestion, OpenText } from "./moonshine.ts";
import { TwoEars } from "./two-ears.ts";

interface Job {
  readonly samples: number;
  readonly question: OpenQuestion;
  finish(text: string | undefined, found?: Omit<OpenText, "text">): Promise<void>;
  fail(): Promise<void>;
}

/** A stream whose open recogniser answers when the test says so. */
function listen({ opensUp = false } = {}) {
  const clock = new VirtualClock();
  const jobs: Job[] = [];
  const partials: string[] = [];
  const sentences: RecognisedText["sentence"][] = [];
  const finals: RecognisedText[] = [];
  const waits: boolean[] = [];
  let forgotten = 0;
  const open = {
    isIdle: true,
    recognise(samples: Int16Array, question: OpenQuestion) {
      const { promise, resolve, reject } = Promise.withResolvers<OpenText | undefined>();
      const settled = async (): Promise<void> => {
        await promise.catch(() => undefined);
        await Promise.resolve();
      };
      jobs.push({
        samples: samples.length,
        question,
        finish(text, found) {
          resolve(text === undefined ? undefined : { text, ...found });
          return settled();
        },
        fail() {
          reject(new Error("the model failed"));
          return settled();
        },
      });
      return promise;
    },
    close: () => Promise.resolve(),
  };
  const ears = new TwoEars({
    open,
    opensUp,
    language: "en-US",
    clock,
    logger: silentLogger,
    onWaiting: (isWaiting) => waits.push(isWaiting),
    onPartial({ text, sentence }) {
      partials.push(text);
      sentences.push(sentence);
    },
    onFinal: (final) => finals.push(final),
    onOpenWords: () => (forgotten += 1),
  });
  return {
    clock,
    jobs,
    open,
    ears,
    partials,
    sentences,
    finals,
    waits,
    forgotten: () => forgotten,
    texts: () => finals.map(({ text }) => text),
    speaks: (untilMs: number, isPaused = true, startMs = 0) =>
      ears.speech({ samples: new Int16Array(untilMs), startMs, untilMs, isPaused }),
    grammar: (text: string, endMs: number, more: Partial<RecognisedText> = {}) => ({
      text,
      startMs: 0,
      endMs,
      language: "en-US",
      ...more,
    }),
  };
}

describe("a stream with two recognisers", () => {
  it("reports the open words in the pause and at the end, recognised once [EAR-25]", async () => {
    const { speaks, ears, grammar, jobs, partials, texts, forgotten } = listen();
    speaks(1000);
    ears.partial(grammar("my card and", 1140));
    await jobs[0]?.finish("My cat is ill.");
    expect(partials).toEqual(["My cat is ill."]);
    ears.final(grammar("", 1000));
    expect([texts(), jobs.length, forgotten()]).toEqual([["My cat is ill."], 1, 1]);
  });

  it("reports a sentence of the grammar before the open words are known, and its end after them [EAR-24]", async () => {
    const { speaks, ears, grammar, jobs, partials, finals } = listen();
    speaks(1000);
    ears.partial(grammar("i lost my card", 1140, { sentence: "whole" }));
    expect(partials).toEqual(["i lost my card"]);
    ears.final(grammar("i lost my card", 1000, { sentence: "whole" }));
    expect(finals).toEqual([]);
    await jobs[0]?.finish("I lost my card.");
    expect(finals).toMatchObject([{ text: "i lost my card", sentence: "whole", startMs: 0, endMs: 1000 }]);
  });

  it("reports nothing of the grammar's in a pause where a language model answers [EAR-29]", async () => {
    const { speaks, ears, grammar, jobs, partials } = listen({ opensUp: true });
    speaks(1000);
    ears.partial(grammar("i lost my card", 1140, { sentence: "whole" }));
    expect(partials).toEqual([]);
    await jobs[0]?.finish("I lost my cat.");
    expect(partials).toEqual(["I lost my cat."]);
  });

  it("recognises what follows a pause together with what came before it", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    speaks(1000);
    speaks(2000);
    await jobs[0]?.finish("My cat.");
    ears.final(grammar("", 2000));
    expect(texts()).toEqual([]);
    await jobs[1]?.finish("My cat is ill.");
    expect([texts(), jobs.map(({ samples }) => samples)]).toEqual([["My cat is ill."], [1000, 2000]]);
  });

  it("has one piece of a conversation recognised at a time, and of one utterance's that come meanwhile the newest [EAR-30]", async () => {
    const { speaks, jobs } = listen();
    speaks(1000);
    speaks(2000);
    speaks(3000);
    expect(jobs).toHaveLength(1);
    await jobs[0]?.finish("");
    expect(jobs.map(({ samples }) => samples)).toEqual([1000, 3000]);
  });

  it("recognises each of several utterances that came meanwhile [EAR-30]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    speaks(1000);
    ears.final(grammar("", 1000));
    speaks(3000, true, 2000);
    ears.final(grammar("", 3000, { startMs: 2000 }));
    speaks(5000, true, 4000);
    ears.final(grammar("", 5000, { startMs: 4000 }));
    await jobs[0]?.finish("My card is gone.");
    await jobs[1]?.finish("I lost it in town.");
    await jobs[2]?.finish("What now?");
    expect(texts()).toEqual(["My card is gone.", "I lost it in town.", "What now?"]);
  });

  it("reports the values that were heard in the agent's own words [EAR-60]", async () => {
    const { speaks, ears, grammar, jobs, finals } = listen();
    ears.known = knownValuesOf(["give me a {order.drink: espresso | americano}"]);
    speaks(1000);
    ears.final(grammar("", 1000));
    await jobs[0]?.finish("Give me an amerricano.");
    expect(finals).toMatchObject([{ text: "give me an americano", guess: undefined }]);
  });

  it("has a sentence of the agent's words looked for in each pause where it has values and the rules answer [EAR-65]", async () => {
    for (const opensUp of [false, true]) {
      const { speaks, ears, jobs, finals, grammar } = listen({ opensUp });
      const known = knownValuesOf(["give me a {order.drink: espresso | americano}"]);
      ears.known = known;
      speaks(900, false);
      await jobs[0]?.finish("Give me");
      speaks(1000);
      expect(jobs.map(({ question }) => question)).toEqual([{}, opensUp ? {} : { menu: known.menu }]);
      const value = { choice: "order.drink", wording: "americano", lead: 6, other: "espresso" };
      await jobs[1]?.finish("Give me Mary's canoe.", {
        sentence: { text: "give me an americano", values: [value] },
      });
      ears.final(grammar("", 1000));
      expect(finals).toMatchObject([{ text: opensUp ? "Give me Mary's canoe." : "give me an americano" }]);
    }
  });

  it("has no such sentence looked for while somebody else's words are recognised [EAR-65]", async () => {
    const { speaks, ears, jobs, open } = listen();
    ears.known = knownValuesOf(["give me a {order.drink: espresso | americano}"]);
    open.isIdle = false;
    speaks(1000);
    await jobs[0]?.finish("Give me Mary's canoe.");
    expect(jobs[0]?.question).toEqual({});
  });

  it("recognises the words of somebody who is still speaking only while nobody else's are [EAR-31]", async () => {
    const { speaks, open, jobs, partials } = listen();
    open.isIdle = false;
    speaks(1000, false);
    expect(jobs).toHaveLength(0);
    open.isIdle = true;
    speaks(2000, false);
    await jobs[0]?.finish("We are looking for");
    expect(partials).toEqual(["We are looking for"]);
  });

  it("does not end a turn by a sentence that the grammar passes through before the next pause [EAR-64]", async () => {
    const { speaks, ears, grammar, jobs, partials } = listen();
    speaks(1000);
    await jobs[0]?.finish("I want a large iced mocha.");
    ears.partial(grammar("i want a latte", 1300, { sentence: "whole-so-far" }));
    expect(partials).toEqual(["I want a large iced mocha."]);
    ears.partial({
      ...grammar("i want a latte", 1500, { sentence: "whole-so-far" }),
      concluded: { text: "i want a latte" },
    });
    expect(partials).toEqual(["I want a large iced mocha.", "i want a latte"]);
  });

  it("does not replace open words by a mixture of the grammar's in the same utterance", async () => {
    const { speaks, ears, grammar, jobs, partials } = listen();
    speaks(1000, false);
    await jobs[0]?.finish("We are looking");
    ears.partial(grammar("when are you", 1200));
    expect(partials).toEqual(["We are looking"]);
  });

  it("reports the grammar's result alone where the open words do not come [EAR-28]", async () => {
    const { speaks, ears, grammar, clock, texts, jobs } = listen();
    speaks(1000);
    clock.advance(900);
    ears.final(grammar("i lost my card", 1000, { sentence: "whole" }));
    clock.advance(799);
    expect(texts()).toEqual([]);
    clock.advance(1);
    expect(texts()).toEqual(["i lost my card"]);
    await jobs[0]?.finish("I lost my cat.");
    expect(texts()).toEqual(["i lost my card"]);
  });

  it("does not take a sentence of the grammar for complete while digits are expected and others were heard [CODE-23b]", async () => {
    const { speaks, ears, grammar, jobs, partials } = listen();
    ears.awaits = { type: "digits", length: 4 };
    speaks(600);
    await jobs[0]?.finish("Five.");
    const sentence = { sentence: "whole" } as const;
    ears.partial({ ...grammar("i hate this", 600, sentence), concluded: { text: "i hate this", ...sentence } });
    expect(partials).toEqual(["five", "five"]);
  });

  it("reports no word in place of digits as a whole sentence before it is final, because more may follow [CODE-24]", async () => {
    const { speaks, ears, grammar, jobs, sentences, finals } = listen();
    ears.awaits = { type: "digits", length: 4 };
    const sentence = { sentence: "whole" } as const;
    speaks(600);
    ears.partial({ ...grammar("right", 600, sentence), concluded: { text: "right", ...sentence } });
    await jobs[0]?.finish("Yeah.");
    ears.final(grammar("right", 600, sentence));
    expect([sentences, finals[0]?.text]).toEqual([[undefined], "right"]);
  });

  it("takes a word in place of digits for a beginning, and then for the digits that it most probably is [CODE-23c] [CODE-24]", async () => {
    const { speaks, ears, grammar, jobs, partials, sentences } = listen();
    ears.awaits = { type: "digits", length: 4 };
    const sentence = { sentence: "whole" } as const;
    ears.partial(grammar("right", 500, sentence));
    speaks(600);
    ears.partial({ ...grammar("i hate this", 740, sentence), concluded: { text: "i hate this", ...sentence } });
    await jobs[0]?.finish("Right.", {
      codes: [{ digits: "5545", score: -1, fit: -15 }],
      part: { digits: "5", fit: -3 },
    });
    expect([partials, sentences]).toEqual([
      ["right", "five"],
      ["beginning", undefined],
    ]);
  });

  it("hears digits of which nothing was certain again together with what follows soon, and only these [CODE-23d]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    ears.awaits = { type: "digits", length: 4 };
    speaks(600);
    ears.final(grammar("", 600));
    await jobs[0]?.finish("Right.", {
      codes: [{ digits: "5545", score: -1, fit: -15 }],
      part: { digits: "5", fit: -3 },
    });
    speaks(3000, true, 2600);
    ears.final(grammar("", 3000, { startMs: 2600 }));
    await jobs[1]?.finish("Five, oh, one, four.", {
      codes: [{ digits: "5014", score: -1, fit: 0 }],
      part: { digits: "501", fit: -4 },
    });
    speaks(5000, true, 4000);
    expect(texts()).toEqual(["Right.", "five zero one four"]);
    expect(jobs.map(({ samples }) => samples)).toEqual([600, 3600, 5000]);
  });

  it("hears what follows alone where it is no code together with them [CODE-23d] [EAR-32]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    ears.awaits = { type: "digits", length: 4 };
    speaks(600);
    ears.final(grammar("", 600));
    await jobs[0]?.finish("Right.", { part: { digits: "5", fit: -3 } });
    speaks(3000, true, 2600);
    ears.final(grammar("", 3000, { startMs: 2600 }));
    await jobs[1]?.finish("Right. What code?", { part: { digits: "1", fit: -14 } });
    await jobs[2]?.finish("What code?", { part: { digits: "1", fit: -12 } });
    expect(texts()).toEqual(["Right.", "What code?"]);
  });

  it.each([
    ["nobody would take it for digits", -9, 2600],
    ["it comes later", -3, 3200],
  ])("does not hear it together with what follows where %s [CODE-23d]", async (_, fit, startMs) => {
    const { speaks, ears, grammar, jobs } = listen();
    ears.awaits = { type: "digits", length: 4 };
    speaks(600);
    ears.final(grammar("right", 600));
    await jobs[0]?.finish("Right.", { part: { digits: "5", fit } });
    speaks(3500, true, startMs);
    expect(jobs.map(({ samples }) => samples)).toEqual([600, 3500]);
  });

  it("reports what both have heard in the agent's words before the grammar has concluded it [EAR-24]", async () => {
    const { speaks, ears, grammar, jobs, partials } = listen();
    ears.partial(grammar("i lost my card", 900, { sentence: "whole" }));
    speaks(1000);
    await jobs[0]?.finish("I lost my card.");
    expect(partials).toEqual(["i lost my card", "i lost my card"]);
  });

  it("adds up what it makes of a code that is said again, once the caller was asked [CODE-23e]", async () => {
    const { speaks, ears, grammar, jobs, finals } = listen();
    ears.awaits = { type: "digits", length: 4 };
    const codes = [
      { digits: "5014", score: -3, fit: -1 },
      { digits: "9014", score: -3 - Math.log(5), fit: -2.6 },
    ];
    speaks(1000);
    await jobs[0]?.finish("Fine, oh, one, four.", { codes });
    ears.final(grammar("", 1000));
    speaks(6000, true, 5000);
    await jobs[1]?.finish("Fine, oh, one, four.", { codes });
    ears.final(grammar("", 6000, { startMs: 5000 }));
    expect(finals).toMatchObject([{ text: "", guess: "five zero one four" }, { text: "five zero one four" }]);
  });

  it("takes an order for a beginning in a pause where it has none of the values that every order has [EAR-69]", async () => {
    const { speaks, ears, jobs, sentences } = listen();
    ears.known = knownValuesOf(["brew a {order.roast: light roast | dark roast} {order.drink: latte | mocha}"]);
    speaks(1000);
    await jobs[0]?.finish("Can I get a light roast?");
    speaks(2000);
    await jobs[1]?.finish("Can I get a light roast latte?");
    expect(sentences).toEqual(["beginning", undefined]);
  });

  it("waits for the rest where fewer digits are more probable than a whole code, and takes no digit for certain [CODE-23c]", async () => {
    const { speaks, ears, grammar, jobs, partials, finals } = listen();
    ears.awaits = { type: "digits", length: 4 };
    speaks(1600);
    await jobs[0]?.finish("Five, oh, one.", {
      codes: [{ digits: "5011", score: -1, fit: -2 }],
      part: { digits: "501", fit: 0 },
    });
    ears.final(grammar("", 1600));
    expect(partials).toEqual(["five zero one"]);
    expect(finals).toMatchObject([{ text: "", guess: "five zero one one" }]);
  });

  it("looks for a code of the length that is expected, once the caller pauses [CODE-23a]", async () => {
    const { speaks, ears, grammar, jobs, partials, texts } = listen();
    ears.awaits = { type: "digits", length: 4, missing: 2 };
    speaks(900, false);
    await jobs[0]?.finish("For");
    speaks(1000);
    await jobs[1]?.finish("", { codes: [{ digits: "4412", score: -1, fit: -1 }] });
    ears.final(grammar("", 1000));
    expect(jobs.map(({ question }) => question)).toEqual([{}, { codeLengths: [4, 2] }]);
    expect([partials, texts()]).toEqual([["For", "four four one two"], ["four four one two"]]);
  });

  it("reports the grammar's result alone where the model fails or too many others wait [EAR-28]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    speaks(1000);
    ears.final(grammar("i lost my card", 1000, { sentence: "whole" }));
    await jobs[0]?.fail();
    speaks(2000, true, 1500);
    ears.final(grammar("yes", 2000, { startMs: 1500 }));
    await jobs[1]?.finish(undefined);
    expect(texts()).toEqual(["i lost my card", "yes"]);
  });

  it("reports finals in the order in which they were spoken [EAR-32]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    speaks(1000);
    ears.final(grammar("", 1000));
    ears.final(grammar("yes", 2000, { startMs: 1500 }));
    expect(texts()).toEqual([]);
    await jobs[0]?.finish("My cat is ill.");
    expect(texts()).toEqual(["My cat is ill.", "yes"]);
  });

  it("does not report words again that the grammar has heard together with what follows [EAR-32]", async () => {
    const { speaks, ears, grammar, jobs, texts } = listen();
    speaks(1000);
    ears.final(grammar("", 1000));
    await jobs[0]?.finish("We are looking for");
    speaks(2000, true, 1500);
    ears.final(grammar("we are looking for a card", 2000, { sentence: "whole" }));
    await jobs[1]?.finish("a table.");
    expect(texts()).toEqual(["We are looking for", "a table."]);
  });

  it("reports nothing after it was closed, and lets simulated time go on", async () => {
    const { speaks, ears, grammar, jobs, texts, partials, waits } = listen();
    speaks(1000);
    ears.final(grammar("", 1000));
    ears.close();
    await jobs[0]?.finish("My cat is ill.");
    expect([texts(), partials, waits]).toEqual([[], [], [true, false]]);
  });
});
