/**
 * `node test/release/side-by-side.ts COMMIT`: the packages of an older commit and of this tree at work on one Redis, each with
 * a host, first with the older functions app and then with the newer one. Makes both packages, takes eight minutes, and fails where
 * a conversation or a call is lost between them (docs/operations.md, "Two versions side by side").
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { startRedisServer } from "../support/redis-server.ts";
import {
  callMovesFrom,
  callThrough,
  converse,
  deleteWhileItGoesOn,
  historyOf,
  otherSide,
  proveIdentity,
  runHost,
  speakAsOwnAgent,
} from "./two-versions.ts";
import type { Side } from "./two-versions.ts";
import { execFileSync } from "node:child_process";
import { pathOf } from "../../local/package/build-options.ts";

interface Packages {
  /** The entry files. */
  readonly functions: string;
  readonly host: string;
}

/** Makes the packages of a commit, in a checkout of its own below a folder, as somebody who deploys that commit makes them. */
function packagesOfCommit(commit: string, folder: string): Packages {
  const checkout = path.join(folder, "checkout");
  const run = (command: string, args: readonly string[], cwd: string): void => {
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
  };
  run("git", ["clone", "--quiet", "--no-checkout", pathOf("."), checkout], folder);
  run("git", ["checkout", "--quiet", "--detach", commit], checkout);
  run("npm", ["ci", "--no-audit", "--no-fund"], checkout);
  return makePackages(checkout, path.join(folder, "packages"));
}

function packagesOfThisTree(folder: string): Packages {
  return makePackages(pathOf("."), path.join(folder, "packages-of-this-tree"));
}

function makePackages(tree: string, out: string): Packages {
  execFileSync(process.execPath, [path.join(tree, "local/package/package-cli.ts"), "--out", out], {
    cwd: tree,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { functions: path.join(out, "functions/main.mjs"), host: path.join(out, "streaming-host/main.mjs") };
}

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error("name the commit of the older version");

/** Each answer needs what was said before it, at the other host. */
const turns = [
  { asks: "I lost my card", hears: /credit card or your debit card/ },
  { asks: "my credit card", hears: /block your credit card/ },
  { asks: "yes", hears: /is blocked/ },
];
const sides: readonly Side[] = ["old", "new"];

async function step(what: string, work: () => Promise<void>): Promise<void> {
  const startedAtMs = performance.now();
  const outcome = await work().then(
    () => "ok",
    (error: unknown) => `FAILED: ${error instanceof Error ? error.message : String(error)}`,
  );
  console.log(`${what}: ${outcome} (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  if (outcome !== "ok") process.exitCode = 1;
}

const folder = mkdtempSync(path.join(tmpdir(), "side-by-side-"));
await using running = new AsyncDisposableStack();
running.defer(() => rmSync(folder, { recursive: true, force: true }));
const packages = { old: packagesOfCommit(commit, folder), new: packagesOfThisTree(folder) };
console.log(`the packages of ${commit} and of this tree are made`);
const redis = await startRedisServer();
running.defer(() => redis.stop());

function startVersions(functions: Side): Promise<CallFleet> {
  return startCallFleet({
    hosts: 2,
    packages: { functions: packages[functions].functions, host: sides.map((side) => packages[side].host) },
    cache: { redis, port: redis.port },
    // The time that a stopped host leaves its conversations, and of which the last five seconds are for moving them.
    environment: { DRAIN_TIMEOUT: "6" },
  });
}

const begun: string[] = [];
for (const functions of sides) {
  const fleet = await startVersions(functions);
  console.log(`with the ${functions} functions app:`);
  for (const sessionId of begun)
    await step("  knows a conversation from before", async () => void (await historyOf(fleet, sessionId)));
  for (const at of sides)
    await step(`  a conversation begins on the ${at} host, goes on at the other, and comes back`, async () => {
      await Promise.all(sides.map((side) => runHost(fleet, side)));
      const sessionId = await converse(
        fleet,
        turns.map((turn, index) => ({ ...turn, at: index === 1 ? otherSide(at) : at })),
      );
      begun.push(sessionId);
      const said = (await historyOf(fleet, sessionId)).filter((line) => line.startsWith("user:"));
      if (said.length !== 3) throw new Error(`of three turns these are known: ${said.join(" | ")}`);
    });
  for (const at of sides) {
    await step(`  a caller proves at the ${at} host who they are, and is served at the other`, () =>
      proveIdentity(fleet, at),
    );
    await step(`  an agent made for a session speaks at the ${at} host and then at the other`, () =>
      speakAsOwnAgent(fleet, at),
    );
    await step(`  a conversation on the ${at} host ends when it is deleted`, () => deleteWhileItGoesOn(fleet, at));
  }
  for (const at of sides)
    await step(`  a call is placed and held with the ${at} host alone`, () => callThrough(fleet, at));
  for (const at of sides)
    await step(`  a call moves from the ${at} host to the other while it is stopped`, () => callMovesFrom(fleet, at));
  await fleet.close();
}
