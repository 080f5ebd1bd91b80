import { describe, expect, it } from "vitest";
import { longestPassage, passagesOf } from "./passages.ts";

const place = { document: "prices.md", name: "prices" };

describe("the passages of a document", () => {
  it("[KNOW-2] join paragraphs under the same headings, and name the headings and the document", () => {
    const blocks = [
      { headings: ["Prices"], text: "A filling costs 80 euros." },
      { headings: ["Prices"], text: "A check-up is free." },
      { headings: ["Prices", "Crowns"], text: "400 euros." },
    ];
    expect(passagesOf(blocks, place)).toEqual([
      { text: "A filling costs 80 euros. A check-up is free.", title: "Prices", source: "prices.md" },
      { text: "400 euros.", title: "Prices › Crowns", source: "prices.md" },
    ]);
  });

  it("never mix two pages, and are called by the document's name where nothing else names them", () => {
    const blocks = [1, 2].map((page) => ({ headings: [], text: `Text of ${page}.`, page }));
    expect(passagesOf(blocks, { document: "terms.pdf", name: "terms" })).toEqual([
      { text: "Text of 1.", title: "terms", source: "terms.pdf, page 1" },
      { text: "Text of 2.", title: "terms", source: "terms.pdf, page 2" },
    ]);
  });

  it("cut a long paragraph after sentences and lose no word of it", () => {
    const text = Array.from({ length: 80 }, (_, index) => `This is sentence ${index}.`).join(" ");
    const passages = passagesOf([{ headings: [], text }], place);
    expect(passages.map((passage) => passage.text).join(" ")).toBe(text);
    for (const passage of passages) {
      expect(passage.text.length).toBeLessThanOrEqual(longestPassage);
      expect(passage.text).toMatch(/\.$/);
    }
  });

  it.each([
    ["words", "word ".repeat(500).trim()],
    ["nothing but letters", "x".repeat(2000)],
  ])("cut %s that no sentence divides", (_what, text) => {
    const passages = passagesOf([{ headings: [], text }], place);
    expect(Math.max(...passages.map((passage) => passage.text.length))).toBeLessThanOrEqual(longestPassage);
    expect(
      passages
        .map((passage) => passage.text)
        .join("")
        .replaceAll(" ", ""),
    ).toBe(text.replaceAll(" ", ""));
  });
});
