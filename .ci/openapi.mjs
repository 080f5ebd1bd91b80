// The document of the REST API, as others read it: a public linter has nothing to say of it, and the clients that two public generators
// make of it compile, with what is written with them. `node local/on-node.cjs node .ci/openapi.mjs`
// They take 70 MB, so they are no dependencies: npm installs them into a cache outside the tree. Where they cannot be had, this says so
// and passes; OPENAPI_REQUIRED=true fails instead.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenApiDocument } from "../functions/src/docs/openapi.ts";

const tools = {
  "@hey-api/openapi-ts": "0.99.0",
  "@redocly/cli": "2.77.0",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  // The generators print their code with a compiler that has an interface.
  typescript: "5.9.3",
};
const named = Object.entries(tools).map(([name, version]) => `${name}@${version}`);
const key = Object.values(tools).join("-");
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "voice-agents", `openapi-${key}`);
const installed = join(cache, "node_modules");

if (!Object.keys(tools).every((name) => existsSync(join(installed, name, "package.json")))) {
  mkdirSync(cache, { recursive: true });
  const install = ["install", "--prefix", cache, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status } = spawnSync("npm", [...install, ...named], { stdio: "ignore", timeout: 180_000 });
  if (status !== 0) {
    console.log(`openapi: ${named.join(", ")} are not to be had from npm; nothing is checked`);
    process.exit(process.env.OPENAPI_REQUIRED === "true" ? 1 : 0);
  }
}

const folder = mkdtempSync(join(tmpdir(), "openapi-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync(join(import.meta.dirname, "openapi"), folder, { recursive: true });
symlinkSync(installed, join(folder, "node_modules"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
writeFileSync(join(folder, "openapi.json"), JSON.stringify(await createOpenApiDocument("https://voice.example")));

/** By the file that its package starts, with nothing asked of the network. */
function run(tool, file, ...rest) {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", DO_NOT_TRACK: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, tool, file), ...rest], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 50_000_000,
  });
  return { isDone: status === 0, stdout, text: `${stdout}${stderr}` };
}

const failures = [];
const linted = run("@redocly/cli", "bin/cli.js", "lint", "openapi.json", "--format", "json");
const { problems } = JSON.parse(linted.stdout);
for (const { ruleId, message, location } of problems) failures.push(`${location[0]?.pointer}: ${message} (${ruleId})`);

const generated = [
  ["openapi-typescript", "bin/cli.js", "openapi.json", "--output", "openapi-typescript.ts"],
  [
    "@hey-api/openapi-ts",
    "bin/run.js",
    "--input",
    "openapi.json",
    "--output",
    "hey-api",
    "--client",
    "@hey-api/client-fetch",
  ],
];
for (const [tool, file, ...rest] of generated) {
  const { isDone, text } = run(tool, file, ...rest);
  if (!isDone) failures.push(`${tool}:\n${text}`);
}
const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
const how = [...options, "--allowImportingTsExtensions", "--target", "es2023", "--lib", "es2023,dom,dom.iterable"];
const compiled = run("typescript", "bin/tsc", ...how, "with-openapi-fetch.ts", "with-hey-api.ts");
if (!compiled.isDone) failures.push(compiled.text);

for (const failure of failures) console.error(`openapi: ${failure}`);
if (failures.length === 0)
  console.log(`openapi: nothing to complain of, and the clients of ${generated.length} generators compile`);
process.exitCode = failures.length === 0 ? 0 : 1;
