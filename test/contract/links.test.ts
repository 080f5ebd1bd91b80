/** Links between the documents lead somewhere, and so does every page that a source file or a script names. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const skipped = ["**/node_modules/**", "out/**", "**/.git/**", "local/node/installed/**"];
const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: root, exclude: skipped });
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const fence = /^```.*?^```$/gms;
const link = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g;
/** A page of the documentation, as comments, messages and settings name it. */
const namedPage = /\bdocs\/[\w./-]+\.md\b/g;

/** The anchors of headings, as GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  const headings = read(file)
    .replaceAll(fence, "")
    .matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the documents", () => {
  it("have no link that leads nowhere", () => {
    const files = find("**/*.md");
    expect(files.length).toBeGreaterThan(50);
    const broken: string[] = [];
    for (const file of files)
      for (const [written, target = "", anchor] of read(file).replaceAll(fence, "").matchAll(link)) {
        const linked = target === "" ? file : path.join(path.dirname(file), target);
        const isThere = existsSync(path.join(root, linked));
        if (!isThere || (anchor !== undefined && !anchorsOf(linked).includes(anchor)))
          broken.push(`${file}: ${written}`);
      }
    expect(broken).toEqual([]);
  });

  it("describe an architecture whose files are there", () => {
    const files = find("**/*.{ts,tsx}").map((file) => `/${file.replaceAll(path.sep, "/")}`);
    const named = Array.from(read("ARCHITECTURE.md").matchAll(/`([\w./-]+\.tsx?)`/g), ([, file = ""]) => file);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });

  it("name every folder of code in the map of the architecture", () => {
    const map = read("ARCHITECTURE.md").split("## The folders")[1] ?? "";
    const packages = ["shared", "provider-kit", "local-voice", "streaming-host", "functions", "console"];
    const folders = packages.flatMap((name) => find(`${name}/src/*/`)).map((folder) => path.basename(folder));
    // Doubles that ship beside the code, and stylesheets.
    const unnamed = new Set(["testing", "styles"]);
    expect(folders.length).toBeGreaterThan(40);
    expect(folders.filter((folder) => !unnamed.has(folder) && !map.includes(`\`${folder}\``))).toEqual([]);
  });

  it("are there where a file names one", () => {
    const files = find(
      "{*,{shared,provider-kit,local-voice,streaming-host,functions,console,local,demo,tool-kit,test,infra,docs}/**/*}.{md,ts,tsx,mjs,cjs,yaml,yml,bicep}",
    );
    expect(files.length).toBeGreaterThan(1000);
    const missing = files.flatMap((file) =>
      Array.from(read(file).matchAll(namedPage), ([page]) => page)
        .filter((page) => !existsSync(path.join(root, page)))
        .map((page) => `${file}: ${page}`),
    );
    expect(missing).toEqual([]);
  });
});
