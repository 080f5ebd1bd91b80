/** The package of the service, in a folder that has never seen this repository: a project is made, checked, tried and talked to. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { pathOf } from "@voice/local/package/build-options";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../support/free-port.ts";
import { placePackage } from "../support/made-packages.ts";
import { nodeEnvironment } from "../support/node-environment.ts";
import { eventually } from "../support/wait.ts";

let folder: string;
let command: string;
let project: string;

const dependencies = z.object({ dependencies: z.record(z.string(), z.string()) });

/** As npm lays it out: the package beside what it depends on, and a package.json that says where it came from. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "service-package-"));
  const installed = path.join(folder, "node_modules");
  mkdirSync(installed);
  const made = placePackage("service", installed);
  const named = path.join(installed, "voice-agent-service");
  symlinkSync(made, named);
  const manifest = dependencies.parse(JSON.parse(readFileSync(path.join(made, "package.json"), "utf8")));
  for (const name of Object.keys(manifest.dependencies).filter((each) => !each.startsWith("@moonshine"))) {
    mkdirSync(path.dirname(path.join(installed, name)), { recursive: true });
    symlinkSync(path.join(pathOf("node_modules"), name), path.join(installed, name));
  }
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({ dependencies: { "voice-agent-service": "file:service.tgz" } }),
  );
  command = path.join(made, "bin/voice-agents.cjs");
  project = path.join(folder, "pizza-desk");
  await voiceAgents(folder, "new", "pizza-desk");
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const voiceAgents = (cwd: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [command, ...args], { cwd, env: nodeEnvironment() });

it("[RELEASE-6] what a new project has is checked without a problem, and its dialogues go as written", async () => {
  const manifest = z
    .object({ scripts: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(path.join(project, "package.json"), "utf8")));
  expect(manifest.scripts["test"]).toBe("voice-agents catalog:check && voice-agents dialogues");
  expect(manifest.devDependencies["voice-agent-service"]).toBe(`file:${path.join(folder, "service.tgz")}`);
  const checked = await voiceAgents(project, "catalog:check");
  expect(checked.stdout).toContain("2 agents, 1 scenario, 2 dialogues, 0 problems");
  const held = await voiceAgents(project, "dialogues");
  expect(held.stdout).toContain("2 of 2 dialogues as written");
}, 60_000);

it("[RELEASE-6] a new project answers with its own agent and its own tool, and serves the page", async () => {
  const port = await freePort();
  const env = { ...nodeEnvironment(), PORT: String(port) };
  const service = spawn(process.execPath, [command, "start"], {
    cwd: project,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => (await fetch(`${url}/api/v1/health`)).ok, "the project's service answers");
    expect(await (await fetch(url)).text()).toContain("<!doctype html>");
    const words = ["--agent", "pizza-desk-orders", "--type", "my order is 4413"];
    const { stdout } = await voiceAgents(project, "caller", "--url", url, ...words);
    expect(stdout).toContain("is on its way, and takes five more minutes");
  } finally {
    service.kill("SIGTERM");
  }
}, 120_000);

it("says which commands there are where none or an unknown one is named", async () => {
  expect((await voiceAgents(folder, "--help")).stdout).toContain("catalog:check, schemas");
  await expect(voiceAgents(folder, "fly")).rejects.toMatchObject({ code: 2 });
});
