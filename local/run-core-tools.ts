/** `npm run func`: the bundled app under Azure Functions Core Tools, where they can be had. */
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const found = spawnSync("func", ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
if (found.status === 0) {
  const folder = fileURLToPath(new URL("../out/functions/", import.meta.url));
  const running = spawn("func", ["start", ...process.argv.slice(2)], {
    cwd: folder,
    stdio: "inherit",
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
