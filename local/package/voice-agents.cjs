#!/usr/bin/env node
// The command of the package, `voice-agents NAME …`: runs one of the service's commands, on a Node that can run TypeScript. In a
// project's folder, its `catalog` and its `tools` are those of the service where the environment names no others.
const { existsSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const root = join(__dirname, "..");
const [name = "--help", ...args] = process.argv.slice(2);
const file = join(root, `${name.replace(":", "-")}.mjs`);
const { commands, heapFlags } = require("./commands.json");

if (!commands.includes(name)) {
  const { version } = require("../package.json");
  const isHelp = ["--help", "-h", "help", "--version"].includes(name);
  console[isHelp ? "log" : "error"](
    `voice-agents ${version}\n\n  voice-agents new pizza-desk    makes a project in a folder of that name\n\n` +
      `In a project: ${commands.filter((known) => known !== "new").join(", ")}. Each explains itself with --help.`,
  );
  process.exit(isHelp ? 0 : 2);
}

for (const [setting, folder] of [
  ["CATALOG_DIR", "catalog"],
  ["TOOLS_DIR", "tools"],
])
  if (process.env[setting] === undefined && existsSync(folder) && readdirSync(folder).length > 0)
    process.env[setting] = folder;

// Those that read local.settings.json in the repository, too.
const readsSettings = name === "start" || name === "doctor";
const flags = [
  ...(name === "start" ? heapFlags : []),
  ...(readsSettings ? ["--import", pathToFileURL(join(root, "use-settings-file.mjs")).href] : []),
];
process.argv.splice(2, process.argv.length, "node", ...flags, file, ...args);
require("./on-node.cjs");
