import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { currentFile, entryFile, takeFreshBundle } from "./bundle.ts";
import { removeUnused } from "./remove-unused.ts";

let bundles: string;
/** A process that has ended, and one that runs until the test has. */
let ended: number;
let running: number;

beforeEach(() => {
  bundles = mkdtempSync(path.join(tmpdir(), "quick-start-"));
  ended = spawnSync(process.execPath, ["--version"]).pid;
  const service = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  running = service.pid ?? 0;
  onTestFinished(() => {
    service.stdin.end();
    rmSync(bundles, { recursive: true });
  });
});

/** Made as the current one. */
function make(name: string): string {
  const folder = path.join(bundles, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, entryFile), "");
  writeFileSync(currentFile(bundles), JSON.stringify({ folder, sources: {} }));
  return folder;
}

it("keeps a running service's bundle, however many were made since", () => {
  const used = make(`1-${ended}`);
  expect(takeFreshBundle(bundles)).toBe(path.join(used, entryFile));
  const later = [2, 3, 4, 5, 6, 7].map((at) => make(`${at}-${ended}`));
  removeUnused(bundles);
  expect([used, ...later].filter((folder) => existsSync(folder))).toEqual([used, later.at(-1)]);
});

it("removes the bundle of a service that has ended", () => {
  const used = make(`1-${ended}`);
  writeFileSync(path.join(used, `used-by-${ended}`), "");
  make(`2-${ended}`);
  removeUnused(bundles);
  expect(existsSync(used)).toBe(false);
});

it("keeps what another process makes, and removes what a process left that ended meanwhile", () => {
  const [left, beingMade] = [make(`1-${ended}`), make(`2-${running}`)];
  make(`3-${ended}`);
  removeUnused(bundles);
  expect([existsSync(left), existsSync(beingMade)]).toEqual([false, true]);
});
