/** What every npm script runs through, as npm runs it: on the Node of the machine, whichever that is. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../../local/on-node.cjs", import.meta.url));
const run = promisify(execFile);

/** A launcher with no packages beside it, and what makes the Node under it say that it is an old one. */
let alone: string;
let old: string;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "on-node-"));
  alone = path.join(folder, "on-node.cjs");
  old = path.join(folder, "old.cjs");
  await copyFile(launcher, alone);
  await writeFile(
    old,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
});

afterAll(async () => {
  await rm(path.dirname(alone), { recursive: true });
});

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

  it("is the one of the machine where npm installed none and that one is new enough", async () => {
    const { stdout } = await run(process.execPath, [alone, ...versionOf]);
    expect(stdout.trim()).toBe(process.versions.node);
  });

  it("is asked for in one line where there is none", async () => {
    const failing = run(process.execPath, ["--require", old, alone, ...versionOf]);
    await expect(failing).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^This project runs on Node 22\.18 or later and found 20\.20\.2\..*\n$/),
    });
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
});
