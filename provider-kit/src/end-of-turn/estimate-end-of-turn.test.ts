import { describe, expect, it } from "vitest";
import type { TurnEvidence } from "@voice/provider-kit/ports/end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { createEndOfTurnEstimator, longestWaitMs, shortestWaitMs } from "./estimate-end-of-turn.ts";

function estimate(evidence: Partial<TurnEvidence>, language = "en") {
  return createEndOfTurnEstimator(packOf(language)).estimate({
    text: "the green one",
    isFinal: false,
    sentence: undefined,
    expected: { kind: "nothing" },
    prosody: undefined,
    pauses: { count: 0, longestMs: 0 },
    middleMs: 500,
    ...evidence,
  });
}

describe("end-of-turn estimator", () => {
  it("[TURN-2b] waits between a third and three times the middle, and never less than the pauses between two words", () => {
    const texts = ["yes", "i want to", "um", "the green one", "my number is four", "tell me about it", ""];
    for (const text of texts)
      for (const middleMs of [200, 500, 900, 3000]) {
        const { waitMs, probability } = estimate({ text, middleMs });
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThan(1);
        expect(waitMs).toBeGreaterThanOrEqual(Math.max(shortestWaitMs, Math.floor(middleMs / 3.2)));
        expect(waitMs).toBeLessThanOrEqual(Math.max(longestWaitMs, middleMs));
      }
  });

  it.each([
    ["a whole sentence of those that are expected", { sentence: "whole" }, "whole_sentence"],
    ["a short answer", { text: "no thank you" }, "short_answer"],
    [
      "all the digits that were asked for",
      { text: "seven two nine six", expected: { kind: "digits", length: 4 } },
      "asked_for",
    ],
    [
      "one of the things that were offered",
      { text: "my savings", expected: { kind: "choice", words: new Set(["checking", "or", "savings"]) } },
      "asked_for",
    ],
  ] as const)("[TURN-3a] [TURN-3b] [TURN-3c] is quick with %s", (_what, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence);
    expect(waitMs).toBeLessThanOrEqual(200);
    expect(reasons[0]).toBe(reason);
  });

  it.each(["um yes", "okay thanks", "yup that's right", "no that's all", "okay bye", "what", "yes it is", "that's it"])(
    "[TURN-3a] is quick with %j, which is put together of short answers",
    (text) => {
      const { waitMs, reasons } = estimate({ text });
      expect([waitMs <= 200, reasons[0]]).toEqual([true, "short_answer"]);
    },
  );

  it.each(["five", "tomorrow at three", "twenty five", "a party of 12"])(
    "[TURN-3b] does not wait for more digits after %j, where it was asked how many or when",
    (text) => {
      expect(estimate({ text, expected: { kind: "quantity" } }).waitMs).toBeLessThanOrEqual(300);
    },
  );

  it("[TURN-4a] waits for more digits of a code, even where it was asked how many", () => {
    const code = { text: "four one two seven nine", expected: { kind: "quantity" } } as const;
    expect(estimate(code).reasons[0]).toBe("digits_missing");
  });

  it.each(["yes but", "um", "no i want to", "okay so", "yes my"])("is not quick with %j", (text) => {
    expect(estimate({ text }).reasons[0]).not.toBe("short_answer");
  });

  it.each([
    ["pitch", { pitchSlope: -10, energySlope: undefined }, { pitchSlope: 6, energySlope: undefined }],
    ["energy", { pitchSlope: undefined, energySlope: -60 }, { pitchSlope: undefined, energySlope: 60 }],
  ])("waits less for a voice that falls in %s, and more for one that is held", (_what, fallen, raised) => {
    const [falling, unknown, held] = [fallen, undefined, raised].map((prosody) => estimate({ prosody }));
    expect(falling?.reasons).toContain("falling_voice");
    expect(held?.reasons).toContain("held_voice");
    expect(falling?.waitMs).toBeLessThan(unknown?.waitMs ?? 0);
    expect(held?.waitMs).toBeGreaterThan(unknown?.waitMs ?? Infinity);
  });

  it("[TURN-17a] [TURN-17b] believes a model of the voice more than pitch and energy, and less than what the words show", () => {
    // A text that could just as well go on.
    const text = "i was wondering if you could help me";
    const held = { pitchSlope: 20, energySlope: 100 };
    const without = estimate({ text, prosody: held });
    const finished = estimate({ text, prosody: held, voice: 0.99 });
    const goesOn = estimate({ text, voice: 0.01 });
    expect(finished.reasons[0]).toBe("voice_finished");
    expect(finished.reasons).not.toContain("held_voice");
    expect(goesOn.reasons[0]).toBe("voice_goes_on");
    expect(finished.waitMs).toBeLessThan(250);
    expect(goesOn.waitMs).toBeGreaterThan(without.waitMs);
    expect(goesOn.waitMs).toBeGreaterThan(1000);
    const code = { text: "seven two", expected: { kind: "digits", length: 4 } } as const;
    expect(estimate({ ...code, voice: 1 }).waitMs).toBeGreaterThan(900);
    expect(estimate({ sentence: "whole", voice: 0 }).waitMs).toBeLessThan(500);
  });

  it.each([
    ["the beginning of an expected sentence", { sentence: "beginning" }, "beginning_of_sentence"],
    ["a hesitation", { text: "i want um" }, "hesitation"],
    [
      "what may be the first of the digits (CODE-24)",
      { text: "right", sentence: "beginning", expected: { kind: "digits", length: 4 } },
      "beginning_of_sentence",
    ],
    ["a code that is not whole", { text: "seven two", expected: { kind: "digits", length: 4 } }, "digits_missing"],
    ["a code of unknown length", { text: "my number is four one two" }, "digits_missing"],
    ["a spelled name", { text: "my name is b r" }, "digits_missing"],
    ["a conjunction", { text: "i lost my card and" }, "open_text"],
    ["an article", { text: "could you send me the" }, "open_text"],
  ] as const)("[TURN-4a] [TURN-4b] is patient with %s", (_what, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence);
    expect(waitMs).toBeGreaterThanOrEqual(1200);
    expect(reasons[0]).toBe(reason);
  });

  const voice = (overNoiseDb: number) => ({ prosody: { pitchSlope: undefined, energySlope: undefined, overNoiseDb } });

  it.each([
    ["a whole sentence", { sentence: "whole" }],
    ["a text that sounds finished", { text: "somebody stole my wallet" }],
  ] as const)("[TURN-4e] waits longer after %s where the voice hardly stands out from noise", (_what, words) => {
    const [noisy, quiet] = [estimate({ ...words, ...voice(15) }), estimate({ ...words, ...voice(40) })];
    expect([noisy.waitMs, noisy.reasons[0]]).toEqual([750, "noisy_line"]);
    expect(quiet).toEqual(estimate(words));
    // How sure the words are is another matter: the answer is prepared meanwhile.
    expect(noisy.probability).toBe(quiet.probability);
    expect(estimate({ ...words, ...voice(15), middleMs: 3000 }).waitMs).toBe(3000);
  });

  it.each([
    ["a short answer", { text: "no thank you" }],
    ["what was asked for", { text: "seven two nine six", expected: { kind: "digits", length: 4 } }],
    ["the beginning of a sentence, which waits longer by itself", { sentence: "beginning" }],
  ] as const)("[TURN-4e] waits as long as ever in noise after %s", (_what, words) => {
    expect(estimate({ ...words, ...voice(15) })).toEqual(estimate(words));
  });

  it("takes what a service has settled and punctuated sooner", () => {
    const heard = { text: "The weather is fine in Rome.", isFinal: true };
    expect(estimate(heard).waitMs).toBeLessThan(estimate({ ...heard, isFinal: false }).waitMs);
  });

  it("[TURN-4c] waits longer for who has paused in the middle of sentences before", () => {
    const habit = { pauses: { count: 3, longestMs: 700 } };
    expect(estimate({ ...habit, sentence: "whole" }).waitMs).toBeGreaterThan(estimate({ sentence: "whole" }).waitMs);
  });
});

describe("[LANG-3] end-of-turn estimator in other languages", () => {
  const code = { kind: "digits", length: 4 } as const;
  it.each([
    ["de", { text: "nein danke" }, "short_answer"],
    ["de", { text: "sieben zwei neun sechs", expected: code }, "asked_for"],
    ["de", { text: "vierundvierzig zwölf", expected: code }, "asked_for"],
    ["fr", { text: "oui bien sûr" }, "short_answer"],
    ["fr", { text: "quarante-quatre douze", expected: code }, "asked_for"],
    ["es", { text: "no gracias" }, "short_answer"],
    ["es", { text: "cuarenta y cuatro doce", expected: code }, "asked_for"],
  ])("in %s is quick with %j", (language, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence, language);
    expect([waitMs <= 200, reasons[0]]).toEqual([true, reason]);
  });

  it.each([
    ["de", { text: "ich möchte ähm" }, "hesitation"],
    ["de", { text: "meine nummer ist vier eins zwei" }, "digits_missing"],
    ["de", { text: "ich habe meine karte verloren und" }, "open_text"],
    ["fr", { text: "je voudrais euh" }, "hesitation"],
    ["fr", { text: "j'ai perdu ma carte et" }, "open_text"],
    ["es", { text: "quería este" }, "hesitation"],
    ["es", { text: "he perdido mi tarjeta y" }, "open_text"],
  ])("in %s is patient with %j", (language, evidence, reason) => {
    const { waitMs, reasons } = estimate(evidence, language);
    expect([waitMs >= 1200, reasons[0]]).toEqual([true, reason]);
  });

  it.each([
    ["zh-CN", "好"],
    ["zh-CN", "不是。"],
    ["ja-JP", "はい、はい"],
    ["ko-KR", "네."],
    ["hi-IN", "जी हाँ"],
    ["pt-BR", "é isso"],
    ["it-IT", "va bene"],
  ])("[LANG-2d] in %s is quick with %j, although there is no pack", (language, text) => {
    const { waitMs, reasons } = estimate({ text }, language);
    expect([waitMs <= 200, reasons[0]]).toEqual([true, "short_answer"]);
  });

  it.each([
    ["pt-BR", "onde eu moro no"],
    ["pl-PL", "chcę to"],
    ["ko-KR", "계좌를 열 수"],
    ["zh-CN", "我要那个大的，对，大"],
    ["ar-SA", "أريد رصيدي"],
  ])(
    "[LANG-2d] in %s finds nothing for or against the end in %j, because English words would tell it",
    (language, text) => {
      expect(estimate({ text }, language)).toEqual({ probability: 0.5, waitMs: 500, reasons: [] });
    },
  );

  it("[LANG-2d] waits for more letters of a name that is spelled in an alphabet", () => {
    for (const language of ["pt-BR", "ru-RU"]) {
      const text = language === "ru-RU" ? "иванов и в а" : "silva s i l";
      expect(estimate({ text }, language).reasons[0]).toBe("digits_missing");
    }
  });

  it("[LANG-2d] takes a full stop of any script for the end of a sentence", () => {
    for (const text of ["我想查询我的余额。", "मेरा खाता बंद करो।", "أريد رصيدي؟"])
      expect(estimate({ text, isFinal: true }, "zh-CN").reasons).toEqual(["settled"]);
  });

  it("says nothing for one or the other of a text that no list knows", () => {
    expect(estimate({ text: "das wetter ist schön" }, "de")).toEqual({ probability: 0.5, waitMs: 500, reasons: [] });
  });
});
