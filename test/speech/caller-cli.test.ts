import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { decodeWav } from "@voice/provider-kit/audio/wav";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { startScriptedService, type ScriptedService } from "../support/scripted-service.ts";

const CLI = join(import.meta.dirname, "../../local/caller/caller-cli.ts");

interface Outcome {
  readonly exitCode: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function runCaller(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

describe("npm run caller", () => {
  let service: ScriptedService;
  let folder: string;

  beforeEach(async () => {
    service = await startScriptedService({ msPerCharacter: 12 });
    folder = await mkdtemp(join(tmpdir(), "caller-"));
  });

  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it("speaks with a synthetic voice, prints both sides with what happened between, and saves the call", async () => {
    const out = join(folder, "call.wav");
    const line = ["--say", "I want to check my balance", "--type", "I lost my card"] as const;
    const { exitCode, stdout, stderr } = await runCaller("--url", service.origin, ...line, "--out", out);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/connected .*front-desk · default · 16 kHz/);
    expect(stdout).toMatch(/you say +I want to check my balance/);
    expect(stdout).toMatch(/handoff +front-desk → card-specialist \(announced\)/);
    expect(stdout).toMatch(/tool +get_account_balance\({"account":"checking"}\) → {.*"balance":2430.5/);
    expect(stdout).toMatch(/latency +first audio \d{2,5} ms after you stopped/);
    const saved = decodeWav(await readFile(out));
    expect(saved).toMatchObject({ sampleRateHz: 16_000, channels: 2 });
    expect(saved.samples.some((sample, index) => index % 2 === 0 && sample !== 0)).toBe(true);
    expect(saved.samples.some((sample, index) => index % 2 === 1 && sample !== 0)).toBe(true);
  });

  it("calls again with what it has saved", async () => {
    const heard = join(folder, "heard.wav");
    await runCaller("--url", service.origin, "--type", "balance", "--out", heard, "--mono");
    const { exitCode, stdout } = await runCaller("--url", service.origin, "--wav", heard);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/heard +I want to check my balance/);
  });

  it("fails with the service's error", async () => {
    const { exitCode, stdout, stderr } = await runCaller("--url", service.origin, "--type", "crash");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /error +upstream_unavailable: The agent could not answer \(the language model's endpoint answered 500\)/,
    );
    expect(stderr).toBe("caller: the service reported 1 error(s), the first: upstream_unavailable\n");
  });

  it("fails in one line when nobody answers or the call lasts too long", async () => {
    const nobody = await runCaller("--url", "ws://127.0.0.1:1", "--type", "hello");
    expect(nobody).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^caller: cannot connect to .*\n$/) });
    const long = await runCaller("--url", service.origin, "--type", "hello", "--limit", "300");
    expect(long).toMatchObject({ exitCode: 1, stderr: "caller: the call lasted 300 ms, its limit\n" });
  });

  it("explains itself when it is called wrongly", async () => {
    const { exitCode, stderr } = await runCaller("--shout", "hello");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^caller: Unknown option '--shout'[^]*npm run caller -- --say/);
  });

  it("calls nobody when there is no such recording", async () => {
    const missing = join(folder, "missing.wav");
    const { exitCode, stderr, stdout } = await runCaller("--url", service.origin, "--wav", missing);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`cannot use ${missing}`);
  });
});
