// `node local/on-node.cjs <command> [arguments]`: runs a script or a tool of this project on a Node that can run TypeScript: the
// machine's own or, where that is too old, a private copy (local/node). Runs itself on whatever Node there is, so it is plain CommonJS.
const { spawn } = require("node:child_process");
const { delimiter, dirname, join } = require("node:path");
const { privateNode } = require("./node/private-node.cjs");

// The first of each line to run TypeScript without a flag.
const oldest = { 22: 18, 23: 6 };

function ownNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 23 || minor >= oldest[major] ? process.execPath : undefined;
}

const node = ownNode() ?? privateNode();
if (node === undefined) {
  console.error(
    `This project runs on Node 22.18 or later and found ${process.versions.node}. ` +
      "A private copy for Linux, macOS and Windows on x64 (and arm64 on Linux and macOS) comes from npm's registry, " +
      "which was not to be had: install a newer Node.",
  );
  process.exit(1);
}

process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
// Node keeps what it compiled, and what is left of TypeScript without its types: the next process loads in a third of the time.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "../node_modules/.cache/node-compile");

// Models are read into pieces of many MB, which glibc would hold for whatever comes next. Setting its own initial value has it give them back.
process.env.MALLOC_MMAP_THRESHOLD_ ??= "131072";

const [command, ...args] = process.argv.slice(2);
const running = spawn(command === "node" ? node : command, args, {
  stdio: "inherit",
  // On Windows the tools in node_modules/.bin are batch files, which only a shell can start.
  shell: process.platform === "win32" && command !== "node",
});

// Ctrl-C reaches the whole foreground group by itself; what is sent to this process alone is passed on. Either way the child ends first.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => running.kill(signal));

// npm passes SIGTERM on to the shell that it started, and the shell ends without passing it on to us, so stopping `npm start` by its
// process id would leave the service running. Once the shell has ended, this process has another parent.
const shell = process.ppid;
if (process.env.npm_lifecycle_event !== undefined && process.platform !== "win32")
  setInterval(() => {
    if (process.ppid !== shell) running.kill("SIGTERM");
  }, 500).unref();

running.on("error", (error) => {
  console.error(`Cannot run ${command}: ${error.message}. Was \`npm ci\` run?`);
  process.exit(1);
});
running.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
