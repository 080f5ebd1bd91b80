import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "make-folder-"));
});

afterEach(async () => rm(folder, { recursive: true }));

it("makes every folder on the way, and takes those that are there", async () => {
  const deep = path.join(folder, "a", "b", "c");
  await makeFolder(deep);
  await makeFolder(deep);
  expect((await stat(deep)).isDirectory()).toBe(true);
  await Promise.all(["x", "y", "z"].map((name) => makeFolder(path.join(folder, "together", name))));
});

it("says at once where none can be made", async () => {
  await writeFile(path.join(folder, "file"), "");
  await expect(makeFolder(path.join(folder, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(path.join(folder, "file", "inside"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

it.runIf(process.platform === "linux")(
  "says so of /proc, too, where a recursive mkdir would never return",
  async () => {
    await expect(makeFolder("/proc/x/y")).rejects.toMatchObject({ code: "ENOENT" });
  },
);
