/**
 * The last step of `npm run func`: the bundled app under Azure Functions Core Tools: the ones on the machine, or else npm fetches them (`npm exec`),
 * because they are large and seldom needed. The settings are passed in the environment: a copy of local.settings.json beside the bundle would be
 * published with it.
 */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const version = "4.15.1";
const shell = process.platform === "win32";
const fromNpm = ["npm", "exec", "--yes", `--package=azure-functions-core-tools@${version}`, "--", "func"];

const works = ([command = "", ...args]: readonly string[]): boolean =>
  spawnSync(command, [...args, "--version"], { encoding: "utf8", shell }).status === 0;

const [command, ...prefix] = [["func"], fromNpm].find(works) ?? [];
if (command === undefined) {
  console.error(
    "Azure Functions Core Tools are not installed and could not be downloaded. " +
      "`npm start` serves the same functions without them.",
  );
  process.exitCode = 1;
} else {
  const running = spawn(command, [...prefix, "start", ...process.argv.slice(2)], {
    cwd: fileURLToPath(new URL("../out/functions/", import.meta.url)),
    stdio: "inherit",
    // Without it, Core Tools ask which language the app is written in.
    env: { ...process.env, FUNCTIONS_WORKER_RUNTIME: "node" },
    shell,
  });
  running.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
