/** What the documents say of the tree is true of it: the files that they name exist, and every decision has a date and a status. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude: isForeign });

/** Installed packages, what is built, and what a reader's own checkout holds besides. */
function isForeign(name: string): boolean {
  return /(^|\/)(node_modules|out|dist|\.git)(\/|$)/.test(name);
}

/** Names that a reader gives to files of their own. */
const isExample = (name: string): boolean => name === "x.test.ts" || /^my-(model|tools|voice)\//.test(name);
/** Where a file is that is named by its whole path: ours, or that of a vendor's client from which something is known (`docs/ends.md`). */
const clients = ["", "node_modules/openai"];
/** Those of the vendors name the vendors' files. */
const documents = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "README.md",
  "SECURITY.md",
  ...filesOf("docs/{*,decisions/*}.md"),
];

describe("the documents", () => {
  it("name files that exist", () => {
    const files = filesOf("**/*.{ts,tsx,mjs,cjs}").map((name) => `/${name}`);
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|cjs))`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !isExample(name) && !clients.some((client) => existsSync(path.join(root, client, name))))
        .filter((name) => !files.some((file) => file.endsWith(`/${name}`)))
        .map((name) => `${document}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(filesOf("docs/decisions/*.md"))("%s has a number, a date and a status", (name) => {
    const [title, blank, status] = read(name).split("\n");
    expect(title).toMatch(new RegExp(`^# ${path.basename(name).slice(0, 3)}: `));
    expect([blank, status]).toEqual([
      "",
      expect.stringMatching(/^Date: \d{4}-\d{2}-\d{2} · Status: (accepted|replaced by)/),
    ]);
  });
});
