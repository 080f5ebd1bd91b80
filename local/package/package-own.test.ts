import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pathOf } from "./build-options.ts";
import { packageOwn } from "./package-own.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "package-own-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("takes agents, tools and what is installed for them along under the name that the settings have", async () => {
  const own = path.join(folder, "mine");
  for (const file of ["catalog/agents/desk/agent.yaml", "tools/book.ts", "tools/node_modules/pg/index.js"]) {
    await mkdir(path.dirname(path.join(own, file)), { recursive: true });
    await writeFile(path.join(own, file), "");
  }
  await packageOwn(path.join(folder, "out"), own);
  const packaged = await readdir(path.join(folder, "out/own"), { recursive: true });
  expect(packaged).toEqual(
    expect.arrayContaining(["catalog/agents/desk/agent.yaml", "tools/book.ts", "tools/node_modules/pg/index.js"]),
  );
});

it("makes the same package as ever where there is nothing of one's own", async () => {
  await packageOwn(path.join(folder, "out"), path.join(folder, "mine"));
  expect(await readdir(folder)).toEqual([]);
});

it("has the folder in what the image is built of", async () => {
  const patterns = (await readFile(pathOf(".dockerignore"), "utf8")).split("\n");
  expect(patterns.indexOf("!own")).toBeGreaterThan(patterns.indexOf("*"));
  expect(patterns.indexOf("!own/**/node_modules")).toBeGreaterThan(patterns.indexOf("**/node_modules"));
});
