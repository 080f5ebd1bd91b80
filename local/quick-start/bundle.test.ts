import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { currentFile, entryFile, takeFreshBundle, stateOf } from "./bundle.ts";

let root: string;
let source: string;
let bundles: string;
let entry: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "quick-start-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  source = path.join(root, "src", "a.ts");
  bundles = path.join(root, "bundles");
  const folder = path.join(bundles, "first");
  entry = path.join(folder, entryFile);
  for (const made of [path.dirname(source), folder]) mkdirSync(made, { recursive: true });
  writeFileSync(source, "export const a = 1;");
  writeFileSync(entry, "");
  const places = [source, path.dirname(source)];
  const sources = Object.fromEntries(places.map((place) => [place, stateOf(place)]));
  writeFileSync(currentFile(bundles), JSON.stringify({ folder, sources }));
});

it("runs a bundle whose sources are as they were", () => {
  expect(takeFreshBundle(bundles)).toBe(entry);
});

it("never runs what an edited file was", () => {
  const { atime, mtimeMs } = statSync(source);
  writeFileSync(source, "export const a = 2;");
  utimesSync(source, atime, new Date(mtimeMs + 1000));
  expect(takeFreshBundle(bundles)).toBeUndefined();
});

it("never runs what a file of another size was, whatever its time", () => {
  const { atime, mtime } = statSync(source);
  writeFileSync(source, "export const a = 23;");
  utimesSync(source, atime, mtime);
  expect(takeFreshBundle(bundles)).toBeUndefined();
});

it.each([
  ["a source is gone", () => rmSync(source)],
  ["a file has come into a folder of the catalog", () => writeFileSync(path.join(root, "src", "b.ts"), "")],
  ["the bundle is gone", () => rmSync(path.dirname(entry), { recursive: true })],
  ["there has never been one", () => rmSync(bundles, { recursive: true })],
  ["what it says of itself is not whole", () => writeFileSync(currentFile(bundles), '{"folder": "')],
])("runs the sources where %s", (_what, change) => {
  change();
  // A folder's time is as fine as the file system's.
  if (takeFreshBundle(bundles) !== undefined) utimesSync(path.dirname(source), new Date(), new Date(Date.now() + 1000));
  expect(takeFreshBundle(bundles)).toBeUndefined();
});

it("does not run the bundle of the repository that it was copied from", () => {
  const copy = path.join(root, "copy");
  cpSync(bundles, copy, { recursive: true });
  expect(takeFreshBundle(copy)).toBeUndefined();
});
