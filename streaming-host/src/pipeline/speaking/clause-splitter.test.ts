import { packOf } from "@voice/shared/languages/packs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClauseSplitter } from "./clause-splitter.ts";

function split(text: string, step = 1, language = "en"): string[] {
  const splitter = new ClauseSplitter(packOf(language).abbreviations);
  const clauses: string[] = [];
  for (let index = 0; index < text.length; index += step)
    clauses.push(...splitter.push(text.slice(index, index + step)));
  const rest = splitter.flush();
  return rest === undefined ? clauses : [...clauses, rest];
}

describe("clause splitter", () => {
  it("gives the first sentence as soon as the next one begins", () => {
    const splitter = new ClauseSplitter(packOf("en").abbreviations);
    expect(splitter.push("Sure! I can")).toEqual(["Sure!"]);
  });

  it("cuts the first piece at a comma once it is long enough to be worth hearing", () => {
    expect(split("I have found your account, and the balance is fine.")).toEqual([
      "I have found your account,",
      "and the balance is fine.",
    ]);
    expect(split("Well, that is fine with me.")).toEqual(["Well, that is fine with me."]);
  });

  it.each([
    ["Your balance is 1,250.75 dollars. Anything else?", ["Your balance is 1,250.75 dollars.", "Anything else?"]],
    [
      "Dr. Smith and Mr. J. Doe will call you back today. Is that fine with you?",
      ["Dr. Smith and Mr. J. Doe will call you back today.", "Is that fine with you?"],
    ],
    [
      "See www.example.com for that. Or call us whenever you would like to.",
      ["See www.example.com for that.", "Or call us whenever you would like to."],
    ],
    ["Come at 3 p.m. Tomorrow works too, of course.", ["Come at 3 p.m.", "Tomorrow works too, of course."]],
    ["We meet at 3 p.m. on Friday.", ["We meet at 3 p.m. on Friday."]],
    ["こんにちは。ご用件は何でしょうか？", ["こんにちは。", "ご用件は何でしょうか？"]],
    ["नमस्ते। मैं आपकी क्या मदद कर सकता हूँ?", ["नमस्ते।", "मैं आपकी क्या मदद कर सकता हूँ?"]],
    ["مرحبا؟ كيف يمكنني مساعدتك اليوم؟", ["مرحبا؟", "كيف يمكنني مساعدتك اليوم؟"]],
    ['She said "No." Then she left the room for good.', ['She said "No."', "Then she left the room for good."]],
    [
      "It costs $5.00! Really... it does, and that is that.",
      ["It costs $5.00!", "Really... it does, and that is that."],
    ],
  ])("splits %j", (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  it("gathers short sentences once something is already playing", () => {
    expect(split("Hello there. Yes. No. I think that we can do that for you. Good.")).toEqual([
      "Hello there.",
      "Yes. No. I think that we can do that for you.",
      "Good.",
    ]);
  });

  it("never lets a piece grow without bound", () => {
    const clauses = split(`${"word ".repeat(200)}end`);
    expect(Math.max(...clauses.map((clause) => clause.length))).toBeLessThanOrEqual(240);
  });

  it("speaks no punctuation on its own", () => {
    expect(split("...\n- - -\n!!! ")).toEqual([]);
  });

  it("loses and adds no letter, however the stream is cut", () => {
    const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");
    const unit = fc.constantFrom("a", "b", "1", " ", ".", ",", "!", "?", "\n", "。", "$", "Dr");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), fc.nat(7), (text, step) => {
        expect(letters(split(text, step + 1).join(""))).toBe(letters(text));
        expect(split(text, step + 1)).toEqual(split(text, 1));
      }),
    );
  });
});

describe("[EAR-9] text without spaces", () => {
  it("is cut at its own punctuation, and is heard after about five seconds of it where there is none", () => {
    expect(split("您的订单已经在路上了，预计明天上午送到。还有什么可以帮您的吗？", 1, "zh")).toEqual([
      "您的订单已经在路上了，",
      "预计明天上午送到。还有什么可以帮您的吗？",
    ]);
    const [first = "", second = ""] = split("我们今天已经把您的订单送出去了".repeat(12), 1, "zh");
    expect([first.length, second.length]).toEqual([23, 78]);
    expect(split("สวัสดีค่ะ ดิฉันตรวจสอบคำสั่งซื้อให้แล้วนะคะ ของจะถึงพรุ่งนี้เช้าค่ะ", 1, "th")[0]).toBe(
      "สวัสดีค่ะ ดิฉันตรวจสอบคำสั่งซื้อให้แล้วนะคะ",
    );
  });

  it("is never cut inside what is one character to the reader", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    // A letter stands beside each picture, because a clause of pictures alone is not spoken.
    const unit = fc.constantFrom("中", "𠮷", "か", "が", "葛󠄀", "ก็", "นี้", "က", "👨‍👩‍👧中", "🇫🇷x", "e\u0301", "x", "각");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 60, maxLength: 200 }), fc.nat(5), (characters, step) => {
        const text = characters.join("");
        const clauses = split(text, step + 1);
        expect(clauses.join("")).toBe(text);
        expect(clauses).toEqual(split(text));
        const whole = new Set(Array.from(segmenter.segment(text), ({ index }) => index));
        let at = 0;
        for (const clause of clauses) {
          expect(whole.has(at)).toBe(true);
          at += clause.length;
        }
      }),
    );
    expect(split(`a${"\u0301".repeat(3_000)}`).length).toBeLessThan(5);
  });
});

describe("[LANG-1] clauses in other languages", () => {
  it.each([
    ["de", "Ihr Termin ist am 21. März um neun. Passt das?", ["Ihr Termin ist am 21. März um neun.", "Passt das?"]],
    ["de", "Sie sprechen z.B. mit Frau Dr. Weber von der Abteilung. Gut so?", undefined],
    ["fr", "Vous verrez M. Martin à l'accueil de la banque. Cela vous va ?", undefined],
    ["es", "Le atenderá la Sra. Gómez en la oficina central. ¿Le parece bien?", undefined],
  ])("in %s %j", (language, text, expected) => {
    const whole = expected ?? text.split(/(?<=[a-zñ]{6}\.) /);
    expect(split(text, 1, language)).toEqual(whole);
  });
});
