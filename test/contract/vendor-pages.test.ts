import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("../../docs/vendors/", import.meta.url));
const pages = readdirSync(folder).filter((name) => name !== "README.md");
const textOf = (name: string): string => readFileSync(`${folder}${name}`, "utf8");

it("has every vendor's page in the overview", () => {
  const linked = [...textOf("README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name);
  expect(new Set(linked)).toEqual(new Set(pages));
});

it.each(pages)("says in %s what is assumed, from where, and which line of the doctor asks for it", (name) => {
  const text = textOf(name);
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| -"));
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    const cells = row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    expect(cells).toHaveLength(3);
    expect(cells).not.toContain("");
  }
  expect(text).toContain("**Only a real account shows:**");
});
