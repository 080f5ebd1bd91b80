import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument, readHtml } from "./document-blocks.ts";
import { docxOf, pdfOf } from "./testing/documents.ts";

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), "documents-"))));
afterAll(() => rm(dir, { recursive: true }));

async function read(name: string, content: string | Uint8Array) {
  const path = join(dir, name);
  await writeFile(path, content);
  return await readDocument(path);
}

describe("a document", () => {
  it("[KNOW-2] in Markdown is its paragraphs, list items and table rows, each under its headings", async () => {
    const text =
      "---\ntitle: x\n---\n# Practice\n\nOpen *daily*,\neven late.\n\n## Prices\n\n- A filling costs 80 euros.\n- A check-up is free.\n\n| a | b |\n|---|---|\n| Crown | 400 euros |\n";
    expect(await read("a.md", text)).toEqual([
      { headings: ["Practice"], text: "Open daily, even late." },
      { headings: ["Practice", "Prices"], text: "A filling costs 80 euros." },
      { headings: ["Practice", "Prices"], text: "A check-up is free." },
      { headings: ["Practice", "Prices"], text: "a, b" },
      { headings: ["Practice", "Prices"], text: "Crown, 400 euros" },
    ]);
  });

  it("[KNOW-2] in HTML is its text without menus, forms, scripts and styles, with spaces where a browser shows them", () => {
    const html =
      "<html><head><title>T</title></head><body><nav>Home</nav><h1>Us</h1><p>We are <b>open</b><br>all day.</p>" +
      "<script>evil()</script><div>One<div>Two</div>Three</div><form>name</form></body></html>";
    expect(readHtml(html).map(({ headings, text }) => [...headings, text])).toEqual([
      ["Us", "We are open all day."],
      ["Us", "One"],
      ["Us", "Two"],
      ["Us", "Three"],
    ]);
  });

  it("[KNOW-2] in PDF has its pages", async () => {
    const blocks = await read("b.pdf", pdfOf(["Parking is behind the house.", "Bring your card."]));
    expect(blocks).toEqual([
      { headings: [], text: "Parking is behind the house.", page: 1 },
      { headings: [], text: "Bring your card.", page: 2 },
    ]);
  });

  it("[KNOW-2] in DOCX has the headings of its styles", async () => {
    expect(
      await read(
        "c.docx",
        await docxOf([
          ["Heading1", "Returns"],
          ["Normal", "Within thirty days."],
        ]),
      ),
    ).toEqual([{ headings: ["Returns"], text: "Within thirty days." }]);
  });

  it("in plain text is its paragraphs", async () => {
    expect(await read("d.txt", "One\nline.\n\n\nTwo.")).toEqual([
      { headings: [], text: "One line." },
      { headings: [], text: "Two." },
    ]);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ["bad.pdf", "no PDF", /PDF/],
    ["bad.docx", "no DOCX", /zip/],
    ["bad.md", new Uint8Array([0xc3, 0x28]), /encoded data/],
  ])("[KNOW-4] that is none is refused: %s", async (name, content, message) => {
    await expect(read(name, content)).rejects.toThrow(message);
  });
});
