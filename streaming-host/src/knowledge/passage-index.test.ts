import { describe, expect, it } from "vitest";
import { createPassageIndex } from "./passage-index.ts";

const texts: readonly (readonly [title: string, text: string])[] = [
  ["Opening hours", "The practice is open from eight to six, on Fridays until noon."],
  ["Parking", "There is parking behind the house. Wheelchairs use the side entrance."],
  ["Prices › Fillings", "A filling costs eighty euros. Your insurance pays half of it."],
  ["Appointments", "An appointment can be cancelled until the day before; later it costs thirty euros."],
];
const passages = texts.map(([title, text]) => ({ title, text, source: "practice.md" }));
const english = await createPassageIndex(passages, "en-US");

async function titles(question: string, index = english): Promise<readonly string[]> {
  return (await index.find(question)).map(({ title }) => title);
}

describe("what documents answer", () => {
  it.each([
    ["When are you open on Friday?", "Opening hours"],
    ["Where can I park my car?", "Parking"],
    ["Do you have an entrance for wheelchairs?", "Parking"],
    ["How much does a filling cost?", "Prices › Fillings"],
    ["What does it cost if I cancel my appointment?", "Appointments"],
    ["does my insurance pay", "Prices › Fillings"],
  ])("[KNOW-1] is found by words in other forms: %s", async (question, title) => {
    expect((await titles(question))[0]).toBe(title);
  });

  it.each([
    "Can I land my helicopter?",
    "Who won the game yesterday?",
    "Do you sell bicycles?",
    "",
    "what is that",
    "the",
  ])("[KNOW-3] is nothing for a question about something else: %s", async (question) => {
    expect(await titles(question)).toEqual([]);
  });

  it("is found in the language of the documents", async () => {
    const german = await createPassageIndex(
      [
        { title: "Öffnungszeiten", text: "Die Praxis öffnet um acht Uhr.", source: "a.md" },
        { title: "Preise", text: "Eine Füllung kostet achtzig Euro.", source: "a.md" },
      ],
      "de-DE",
    );
    expect(await titles("Was kosten Füllungen?", german)).toEqual(["Preise"]);
    expect(await titles("Wann ist die Praxis geöffnet?", german)).toEqual(["Öffnungszeiten"]);
  });

  it("is found as it is written in a language without stems, words without spaces included", async () => {
    const japanese = await createPassageIndex(
      [{ title: "営業時間", text: "営業時間は九時から五時です。", source: "a.md" }],
      "ja-JP",
    );
    expect(await titles("営業時間を教えて", japanese)).toEqual(["営業時間"]);
  });

  it("[KNOW-5] is found by meaning where the passages have vectors, and nothing is that is far from the question", async () => {
    const index = await createPassageIndex(
      [
        { title: "Parking", text: "There is parking behind the house.", source: "a.md", vector: [1, 0, 0] },
        { title: "Prices", text: "A filling costs eighty euros.", source: "a.md", vector: [0, 1, 0] },
      ],
      "en",
    );
    const found = async (vector: readonly number[]) =>
      (await index.find("somewhere for the automobile", vector)).map(({ title }) => title);
    expect(await found([0.9, 0.1, 0])).toEqual(["Parking"]);
    expect(await found([0, 0, 1])).toEqual([]);
  });
});
