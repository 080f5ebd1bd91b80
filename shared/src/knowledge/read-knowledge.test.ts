import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { problemLine } from "../catalog/problems.ts";
import { readKnowledge } from "./read-knowledge.ts";

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "knowledge-"))));
afterEach(() => rm(dir, { recursive: true }));

async function read(files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, "knowledge", path)), { recursive: true });
    await writeFile(join(dir, "knowledge", path), text);
  }
  const { sources, problems } = await readKnowledge([dir]);
  return { sources, problems: problems.map(problemLine) };
}

describe("the folder knowledge of a catalog", () => {
  it("has a source for each folder, with the documents below it, and for each index", async () => {
    const { sources, problems } = await read({
      "clinic/hours.md": "",
      "clinic/prices/2026.pdf": "",
      "clinic/.draft.md": "",
      "README.md": "",
      "law.yaml":
        "index: law-2026\nfields: { text: content, title: heading, source: url, vector: embedding }\nsemantic_configuration: default\n",
    });
    expect(problems).toEqual([]);
    expect([...sources]).toEqual([
      ["clinic", { kind: "documents", dir: join(dir, "knowledge/clinic"), documents: ["hours.md", "prices/2026.pdf"] }],
      [
        "law",
        {
          kind: "index",
          index: "law-2026",
          fields: { text: "content", title: "heading", source: "url", vector: "embedding" },
          semanticConfiguration: "default",
        },
      ],
    ]);
  });

  it("may be missing", async () => {
    expect(await read({})).toEqual({ sources: new Map(), problems: [] });
  });

  it.each([
    [
      "a kind that cannot be searched",
      { "clinic/prices.xlsx": "" },
      /clinic\/prices\.xlsx: is of no kind.*\.md.*\.pdf/,
    ],
    ["a document beside the folders", { "hours.md": "" }, /knowledge\/hours\.md: expected a folder/],
    ["a name that agents cannot write", { "My Docs/a.md": "" }, /My Docs: the name must match/],
    [
      "a folder and an index of one name",
      { "law/a.md": "", "law.yaml": "index: a\nfields: { text: b }" },
      /law\.yaml: is both/,
    ],
    [
      "an index without its text",
      { "law.yaml": "index: a\nfields: { title: b }" },
      /law\.yaml: fields\.text: is missing/,
    ],
    [
      "an index with a misspelt key",
      { "law.yaml": "index: a\nfields: { text: b }\nfiltre: c" },
      /filtre: unknown key.*filter/,
    ],
  ])("says what is wrong with %s", async (_what, files, problem) => {
    const { problems } = await read(files);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});
