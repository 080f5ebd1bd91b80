/** A folder of code outside the repository, loaded as the service loads it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { loadCode, type OwnCode } from "@voice/shared/tools/code/load-code";
import { toolSchema } from "@voice/shared/tools/define-tool";
import { afterEach, describe, expect, it } from "vitest";

const parts = { setting: "TOOLS_DIR", taken: builtInTools, clock: systemClock, logger: silentLogger };
const root = path.join(import.meta.dirname, "../..");
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "own-tools-"));
  folders.push(folder);
  for (const [name, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files }))
    writeFileSync(path.join(folder, name), text);
  return folder;
}

/** As npm would, without asking a registry. */
function installToolKit(folder: string): void {
  const packed = execFileSync("npm", ["pack", path.join(root, "tool-kit"), "--silent"], { cwd: folder }).toString();
  const to = path.join(folder, "node_modules/@voice/tool-kit");
  mkdirSync(to, { recursive: true });
  execFileSync("tar", ["-xzf", packed.trim(), "--strip-components=1", "-C", to], { cwd: folder });
  symlinkSync(path.join(root, "node_modules/zod"), path.join(folder, "node_modules/zod"));
}

const load = (files: Readonly<Record<string, string>>): Promise<OwnCode> => loadCode(folderOf(files), parts);

const imports = `import { defineTool } from "@voice/tool-kit";\nimport { z } from "zod";\n`;
const tool = (name: string, more = "run: () => ({})"): string =>
  `defineTool({ name: "${name}", description: "Does.", parameters: z.object({ order: z.string().describe("Which.") }), ${more} })`;

describe("a folder of code tools", () => {
  it("[CODE-1] [CODE-3] is TypeScript or JavaScript that imports the tool kit and zod, which the service brings", async () => {
    const { tools, customers } = await load({
      "order.ts": `${imports}const hours: number = 4;\nexport default ${tool("order_status", "run: () => ({ hours })")};`,
      "table.js": `${imports}export const book = ${tool("book_table")};\nexport const cancel = ${tool("cancel_table")};`,
      "order.test.ts": "throw new Error('a test is no tool');",
      "vitest.config.ts": "throw new Error('nor is a setting');",
    });
    expect([...tools.keys()]).toEqual(["order_status", "book_table", "cancel_table"]);
    expect(customers).toBeUndefined();
    const status = tools.get("order_status");
    expect(status === undefined ? {} : toolSchema(status)).toMatchObject({
      properties: { order: { type: "string", description: "Which." } },
      required: ["order"],
    });
  });

  it("[CODE-3] may be CommonJS, which gets the same packages", async () => {
    const required = 'const { defineTool } = require("@voice/tool-kit");\nconst { z } = require("zod");\n';
    const { tools } = await load({
      "package.json": "{}",
      "order.js": `${required}module.exports = ${tool("order_status")};`,
    });
    expect([...tools.keys()]).toEqual(["order_status"]);
  });

  it("[CODE-2] tells all that is wrong with it, each in a line with the file and what to change", async () => {
    const broken = load({
      "a-syntax.js": "export const x = ;",
      "b-enum.ts": "export const small = 1;\nenum Size { Small }\nexport default Size;",
      "c-import.ts": 'import nothing from "not-installed";\nexport default nothing;',
      "d-nothing.js": "export const helper = 1;",
      "e-keys.js": `${imports}export default defineTool({ name: "Big", description: "x", parameters: {}, runs() {} });`,
      "f-throws.js": 'const key = undefined;\nthrow new Error("there is no API key");',
      "g-date.js": `${imports}export default defineTool({ name: "g", description: "g", parameters: z.object({ on: z.date() }), run() {} });`,
      "h-built-in.js": `${imports}export default ${tool("end_call")};`,
      "i-one.js": `${imports}export default ${tool("twice")};`,
      "j-two.js": `${imports}export default ${tool("twice")};`,
    });
    const problems: unknown = await broken.catch((error: unknown) => (error instanceof Error ? error.message : ""));
    const said = String(problems).split("\n").slice(1);
    const beginnings = [
      "a-syntax.js: cannot be read: Unexpected token ';'",
      "b-enum.ts: TypeScript enum is not supported in strip-only mode; Node leaves types out and compiles nothing, so no enums, namespaces or parameter properties (line 2)",
      "c-import.ts: Cannot find package 'not-installed'; install it in the folder",
      "d-nothing.js: exports no tool; export what defineTool",
      "e-keys.js: name: expected small letters",
      "e-keys.js: parameters: expected z.object",
      "e-keys.js: run: expected a function",
      "e-keys.js: unknown key runs",
      "f-throws.js: fails while it loads: there is no API key (line 2)",
      "g-date.js: parameters: cannot be told to a model as JSON Schema",
      'h-built-in.js: "end_call" is the name of a tool that is there already',
      'j-two.js: i-one.js defines a tool "twice" already',
    ];
    expect(said).toHaveLength(beginnings.length);
    for (const [index, beginning] of beginnings.entries()) expect(said[index]).toContain(`TOOLS_DIR: ${beginning}`);
  });

  it("is what docs/tools.md shows, and its types are those of the package that npm makes of the tool kit", async () => {
    const guide = readFileSync(path.join(root, "docs/tools.md"), "utf8");
    const blocks = [...guide.matchAll(/`my-tools\/(\S+\.(?:ts|json))`.*?```\w+\n(.*?)```/gs)];
    const files = Object.fromEntries(blocks.map(([, name = "", text = ""]) => [name, text]));
    const folder = folderOf(files);
    const { tools } = await loadCode(folder, parts);
    expect([...tools.keys()]).toContain("order_status");
    installToolKit(folder);
    writeFileSync(path.join(folder, "wrong.ts"), `${files["order-status.ts"]?.replace("return found", "return 7")}`);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
    const modules = [...Object.keys(files), "wrong.ts"].filter((name) => name.endsWith(".ts"));
    const compiler = path.join(root, "node_modules/.bin/tsc");
    const checked = spawnSync(compiler, [...options, "--types", "", ...modules], { cwd: folder, encoding: "utf8" });
    const complaints = checked.stdout.split("\n").filter((line) => /^\S+\.ts\(/.test(line));
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/^wrong\.ts.*number/);
  });

  it("is there, and is not empty", async () => {
    await expect(loadCode("/nowhere/at-all", parts)).rejects.toThrow(
      "TOOLS_DIR: /nowhere/at-all cannot be read (ENOENT)",
    );
    await expect(load({})).rejects.toThrow("there is no .ts or .js file in");
  });
});
