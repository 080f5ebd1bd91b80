/** Makes the packages of a commit, in a checkout of its own below a folder, as somebody who deploys that commit makes them. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathOf } from "../../local/package/build-options.ts";

export interface Packages {
  /** The entry files. */
  readonly functions: string;
  readonly host: string;
}

export function packagesOfCommit(commit: string, folder: string): Packages {
  const checkout = path.join(folder, "checkout");
  const run = (command: string, args: readonly string[], cwd: string): void => {
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
  };
  run("git", ["clone", "--quiet", "--no-checkout", pathOf("."), checkout], folder);
  run("git", ["checkout", "--quiet", "--detach", commit], checkout);
  run("npm", ["ci", "--no-audit", "--no-fund"], checkout);
  return makePackages(checkout, path.join(folder, "packages"));
}

export function packagesOfThisTree(folder: string): Packages {
  return makePackages(pathOf("."), path.join(folder, "packages-of-this-tree"));
}

function makePackages(tree: string, out: string): Packages {
  execFileSync(process.execPath, [path.join(tree, "local/package/package-cli.ts"), "--out", out], {
    cwd: tree,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { functions: path.join(out, "functions/main.mjs"), host: path.join(out, "streaming-host/main.mjs") };
}
