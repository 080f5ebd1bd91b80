/**
 * `npm run func`: the bundled app under Azure Functions Core Tools, where they can be had. The settings go by the environment:
 * a copy of local.settings.json beside the bundle would be published with it.
 */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const found = spawnSync("func", ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
if (found.status === 0) {
  const folder = fileURLToPath(new URL("../out/functions/", import.meta.url));
  const running = spawn("func", ["start", ...process.argv.slice(2)], {
    cwd: folder,
    stdio: "inherit",
    // Without it, Core Tools ask which language the app is written in.
    env: { ...process.env, FUNCTIONS_WORKER_RUNTIME: "node" },
    shell: process.platform === "win32",
  });
  running.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.error(
    "Azure Functions Core Tools are not installed or could not be downloaded. They need Node 22 or later and one " +
      "download at first use (npx func --version). `npm start` serves the same functions without them.",
  );
  process.exitCode = 1;
}
