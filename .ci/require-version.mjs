#!/usr/bin/env node
// `.ci/require-version.mjs v1.2.0`: whether a release's tag is the version of every package, and CHANGELOG.md says what it brings.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (name) => readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), "utf8");
const [tag = ""] = process.argv.slice(2);
const root = JSON.parse(read("package.json"));
const mistakes = [];
if (tag !== `v${root.version}`) mistakes.push(`the tag is ${tag}, and package.json has the version ${root.version}`);
for (const workspace of root.workspaces) {
  const { version } = JSON.parse(read(`${workspace}/package.json`));
  if (version !== root.version) mistakes.push(`${workspace} has the version ${version} in place of ${root.version}`);
}
if (!read("CHANGELOG.md").includes(`\n## ${root.version}\n`))
  mistakes.push(`CHANGELOG.md has no section "## ${root.version}"`);
for (const mistake of mistakes) console.error(`release: ${mistake}`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
