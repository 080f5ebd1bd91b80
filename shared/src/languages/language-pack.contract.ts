/**
 * The contract of every language pack. The type system checks that nothing is missing; these tests check that it is
 * right.
 */
import { describe, expect, it } from "vitest";
import { Templates } from "../catalog/template.ts";
import { languagePacks, primaryLanguage } from "./packs.ts";
import { consistOf } from "./phrases.ts";
import type { LanguagePack } from "./language-pack.ts";
import type { Sentences } from "./sentences.ts";

export function describeLanguagePack(pack: LanguagePack, english: LanguagePack): void {
  const { sentences, turnPhrases, endOfTurn, numbers, values, questions, machineWords, screeningWords } = pack;

  describe("what the service says", () => {
    const own = spoken(sentences);
    it("is whole sentences", () => {
      expect(own.filter(([, text]) => !/^[¿¡\p{Lu}].*[.?!]$/su.test(text))).toEqual([]);
    });

    it("is in no other language", () => {
      const others = languagePacks.filter((other) => other !== pack);
      const foreign = new Set(others.flatMap((other) => spoken(other.sentences).map(([, text]) => text)));
      expect(own.filter(([, text]) => foreign.has(text))).toEqual([]);
    });

    it("has the same slots as in English", () => {
      expect(slotsOf(sentences.voicemail)).toEqual(slotsOf(english.sentences.voicemail));
      const slotted = own.filter(([, text]) => slotsOf(text).length > 0);
      expect(slotted.map(([name]) => name)).toEqual(["voicemail"]);
    });

    it("leaves a message that is whole with and without what is known", () => {
      const templates = new Templates();
      const known = { caller_name: "Ada", purpose: "Nr. 7" };
      const full = templates.render(sentences.voicemail, { institution_name: "Harbor", context: known });
      expect(full).toMatch(/Ada.*Harbor.*Nr\. 7/s);
      const bare = templates.render(sentences.voicemail, { institution_name: "Harbor", context: {} });
      expect(bare).toMatch(/Harbor\. /);
      // A catalog need not name an institution.
      const nameless = templates.render(sentences.voicemail, { context: {} });
      expect(nameless).toMatch(/^[^{}]+, \p{L}[^{}]+\. /u);
    });
  });

  describe("the words that steer a turn", () => {
    it("are in small letters, once each and never none", () => {
      for (const list of Object.values(turnPhrases)) {
        expect(list.length).toBeGreaterThan(3);
        expect(list).toEqual([...new Set(list)]);
        for (const expression of list) expect(expression).toBe(expression.toLowerCase().trim());
      }
    });

    it("do not say two things at a time", () => {
      const { hesitations, backchannels, commands, greetings, answersAlone } = turnPhrases;
      expect(commands.filter((command) => consistOf(command.split(" "), new Set(backchannels)))).toEqual([]);
      expect(common(greetings, [...backchannels, ...commands, ...answersAlone])).toEqual([]);
      expect(common(hesitations, commands)).toEqual([]);
      expect(common(hesitations, answersAlone)).toEqual([]);
      expect(common([...endOfTurn.shortAnswers], [...endOfTurn.hesitations])).toEqual([]);
      expect(common([...endOfTurn.hesitations], [...endOfTurn.joints])).toEqual([]);
    });

    it("know what anybody says to anybody", () => {
      const known = new Set([...turnPhrases.backchannels, ...turnPhrases.commands, ...turnPhrases.answersAlone]);
      expect(turnPhrases.everyday.filter((expression) => !consistOf(expression.split(" "), known))).toEqual([]);
      const lastWords = turnPhrases.answersAlone.map((answer) => answer.split(" ").at(-1) ?? "");
      expect(lastWords.filter((word) => endOfTurn.hesitations.has(word))).toEqual([]);
    });

    it("recognise a machine and not a caller", () => {
      for (const text of [...turnPhrases.everyday, ...turnPhrases.answersAlone]) {
        expect(text).not.toMatch(machineWords);
        expect(text).not.toMatch(screeningWords);
      }
    });
  });

  describe("numbers", () => {
    it("are read as they are said, from 0 to 999,999", () => {
      const step = 331; // with all below 2000: every word in every place
      const misread: string[] = [];
      for (let value = 0; value < 1_000_000; value += value < 2000 ? 1 : step) {
        const said = numbers.toWords(value);
        const tokens = toTokens(said);
        const [run, ...more] = numbers.find(tokens);
        if (run?.value !== value || run.end !== tokens.length || more.length > 0) misread.push(`${value}: ${said}`);
      }
      expect(misread).toEqual([]);
    });

    it("have an end, and a sign", () => {
      expect(numbers.toWords(3.9)).toBe(numbers.toWords(3));
      expect(numbers.toWords(-7)).toMatch(new RegExp(`^\\p{L}+ ${numbers.toWords(7)}$`, "u"));
      expect(numbers.toWords(2_000_012)).toContain(numbers.toWords(12));
    });

    it("are none in a sentence without them", () => {
      expect(numbers.find(toTokens(turnPhrases.hesitations.join(" ")))).toEqual([]);
    });

    it("are digits where they are said one by one", () => {
      const said = values.digits("44-12");
      expect(said.split(" ")).toHaveLength(4);
      const digits = numbers.find(toTokens(said)).map((run) => run.digits);
      expect(digits.join("")).toBe("4412");
    });
  });

  describe("money and dates", () => {
    it("are said in words, in the language's own currency and in others", () => {
      expect(values.money(1234.5)).toContain(numbers.toWords(1234));
      for (const currency of ["EUR", "USD", "CHF"]) expect(values.money(2, currency)).toMatch(/^\p{L}+ \p{L}+$/u);
      expect(values.money(19.99)).toMatch(/^\D+$/);
      expect(values.money(-2)).not.toBe(values.money(2));
      expect(values.money(3, "JPY")).toContain("3");
    });

    it("has a name for every month, and leaves alone what is no date", () => {
      const days = Array.from({ length: 12 }, (_, month) =>
        values.date(`2026-${String(month + 1).padStart(2, "0")}-21`),
      );
      expect(new Set(days).size).toBe(12);
      expect(values.date("2026-03-21T10:00:00Z")).toBe(values.date("2026-03-21"));
      expect(values.date("soon")).toBe("soon");
    });
  });

  it("has a voice for its locale, each of the locale that it is for", () => {
    expect(pack.voices[0].locale).toBe(pack.locale);
    for (const { locale, voice } of pack.voices) {
      expect(voice).toMatch(new RegExp(`^${locale}-\\w+Neural$`));
      expect(primaryLanguage(locale)).toBe(pack.code);
    }
  });

  it("asks in ways that it understands itself", () => {
    expect(
      sentences.cutByLength
        .toLowerCase()
        .split(/(?<=[.?!])\s+/)
        .at(-1),
    ).toMatch(questions.yesOrNo);
  });
}

function spoken(sentences: Sentences): (readonly [string, string])[] {
  return Object.entries(sentences).flatMap(([name, value]: [string, Sentences[keyof Sentences]]) => {
    if (typeof value === "string") return [[name, value] as const];
    return Object.entries(value).map(([part, text]: [string, string]) => [`${name} ${part}`, text] as const);
  });
}

function slotsOf(template: string): string[] {
  return [...template.matchAll(/\{[{%][^}]*[}%]\}/g)].map(([slot]) => slot).toSorted();
}

function common(one: readonly string[], other: readonly string[]): string[] {
  return one.filter((expression) => other.includes(expression));
}

/** Splits text into words as the code that reads a recogniser's text does. */
function toTokens(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .filter((token) => token !== "");
}
