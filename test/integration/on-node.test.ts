/** What every npm script runs through, as npm runs it: on the Node of the machine, whichever that is. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../../local/on-node.cjs", import.meta.url));
const run = promisify(execFile);

/** A launcher with no private Node beside it yet, what stands in for npm, and what makes the Node under it say that it is old. */
let alone: string;
let npm: string;
let old: string;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "on-node-"));
  const files = await readdir(path.join(path.dirname(launcher), "node"));
  await mkdir(path.join(folder, "node"));
  for (const file of ["on-node.cjs", ...files.filter((name) => name !== "installed").map((name) => `node/${name}`)])
    await copyFile(path.join(path.dirname(launcher), file), path.join(folder, file));
  alone = path.join(folder, "on-node.cjs");
  npm = path.join(folder, "npm.cjs");
  old = path.join(folder, "old.cjs");
  await writeFile(
    old,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
});

afterAll(async () => {
  await rm(path.dirname(alone), { recursive: true });
});

/** npm, as far as it is needed: installs this test's Node as the package for the platform, or fails. */
async function npmInstalls(works: boolean): Promise<void> {
  const script = `
    const { appendFileSync, mkdirSync, symlinkSync } = require("node:fs");
    const { packages } = require(process.cwd() + "/package-lock.json");
    appendFileSync(${JSON.stringify(path.join(path.dirname(npm), "asked.txt"))}, process.argv[2] + " ");
    if (!${String(works)}) process.exit(1);
    for (const name of Object.keys(packages).filter((key) => key !== "")) {
      mkdirSync(name + "/bin", { recursive: true });
      symlinkSync(${JSON.stringify(process.execPath)}, name + "/bin/node");
    }`;
  await writeFile(npm, script);
}

const versionOf = ["node", "--print", "process.versions.node"];

describe("the Node that npm scripts run on", () => {
  it("runs TypeScript, even when the Node of the machine is too old for it", async () => {
    const { stdout } = await run(process.execPath, ["--require", old, launcher, ...versionOf]);
    expect(Number.parseFloat(stdout)).toBeGreaterThanOrEqual(22.18);
  });

  it("comes first in the path of the tools that are run", async () => {
    const { stdout } = await run(process.execPath, ["--require", old, launcher, "sh", "-c", "node --version"]);
    expect(Number.parseFloat(stdout.slice(1))).toBeGreaterThanOrEqual(22.18);
  });

  it("is the one of the machine where that is new enough, and nothing is installed", async () => {
    await npmInstalls(false);
    const { stdout } = await run(process.execPath, [alone, ...versionOf], { env: { npm_execpath: npm } });
    expect(stdout.trim()).toBe(process.versions.node);
    expect(await readdir(path.join(path.dirname(alone), "node"))).not.toContain("installed");
  });

  it("is asked for in one line where the machine's is too old and npm has none", async () => {
    await npmInstalls(false);
    const failing = run(process.execPath, ["--require", old, alone, ...versionOf], { env: { npm_execpath: npm } });
    await expect(failing).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^.*private copy.*\nThis project runs on Node 22\.18 or later and found 20\.20\.2\..*\n$/,
      ),
    });
  });

  it("is installed once, in the version of the lock file, where the machine's is too old", async () => {
    await npmInstalls(true);
    await rm(path.join(path.dirname(npm), "asked.txt"), { force: true });
    const first = () => run(process.execPath, ["--require", old, alone, ...versionOf], { env: { npm_execpath: npm } });
    const together = await Promise.all([first(), first()]);
    const again = await first();
    for (const { stdout } of [...together, again]) expect(stdout.trim()).toBe(process.versions.node);
    expect(again.stderr).toBe("");
    expect(await readdir(path.join(path.dirname(alone), "node/installed"))).toHaveLength(1);
    expect(await readFile(path.join(path.dirname(npm), "asked.txt"), "utf8")).toMatch(/^(?:ci ){1,2}$/);
  });

  it("ends as the script ends", async () => {
    await expect(run(process.execPath, [launcher, "node", "--eval", "process.exit(3)"])).rejects.toMatchObject({
      code: 3,
    });
    await expect(
      run(process.execPath, [launcher, "node", "--eval", 'process.kill(process.pid, "SIGKILL")']),
    ).rejects.toMatchObject({ signal: "SIGKILL" });
    await expect(run(process.execPath, [launcher, "no-such-tool"])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Cannot run no-such-tool: .*npm ci/),
    });
  });

  it("lets the script finish what it does at a signal", async () => {
    const script = `
      process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log("ready");`;
    const child = spawn(process.execPath, [launcher, "node", "--eval", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said === "ready\n") child.kill("SIGTERM");
    });
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(said).toBe("ready\nbye\n");
  });

  it.skipIf(process.platform === "win32")(
    "ends what it runs when npm's shell is gone, which passes no signal on",
    async () => {
      // As npm does it: a shell between, which ends by SIGTERM and leaves its child to nobody.
      const command = `"${process.execPath}" "${launcher}" node --eval "console.log(process.pid); setInterval(() => {}, 1000)"; true`;
      const shell = spawn("sh", ["-c", command], {
        env: { ...process.env, npm_lifecycle_event: "start" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [printed] = (await once(shell.stdout, "data")) as [Buffer];
      const service = Number(printed.toString("utf8"));
      shell.kill("SIGTERM");
      await expect.poll(() => isRunning(service)).toBe(false);
    },
  );
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
