/** What is deployed: one file, from a folder that has never seen this repository, loaded as the worker loads it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFunctionsProcess, type ServerProcess } from "../support/server-process.ts";

let folder: string;
let running: ServerProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "functions-bundle-"));
  execFileSync(process.execPath, [path.join(import.meta.dirname, "../../local/bundle-functions.ts"), folder]);
  running = await startFunctionsProcess(path.join(folder, "main.cjs"), { LOG_LEVEL: "error" });
});

afterAll(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the bundled functions app", () => {
  it("is complete without node_modules", () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    expect(manifest).toHaveProperty("main", "main.cjs");
    expect(existsSync(path.join(folder, "host.json"))).toBe(true);
    expect(existsSync(path.join(folder, "node_modules"))).toBe(false);
  });

  it("answers as the source does, with the catalog that lies beside it", async () => {
    const health = await fetch(`${running?.url}/api/v1/health`);
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({ status: "healthy", version: "1.0.0" });
    const agents = await fetch(`${running?.url}/api/v1/agents`);
    expect(await agents.json()).toMatchObject({ status: "success", start_agent: expect.any(String) });
    const profile = await fetch(`${running?.url}/api/v1/profiles/generate`, { method: "POST" });
    expect(await profile.json()).toMatchObject({ profile_id: expect.any(String), name: expect.any(String) });
    const missing = await fetch(`${running?.url}/missing`);
    expect(await missing.json()).toMatchObject({ type: "not_found" });
  });

  it("refuses to work with settings that make no service, and says nothing about them to callers", async () => {
    const broken = await startFunctionsProcess(path.join(folder, "main.cjs"), {
      ENVIRONMENT: "production",
      LOG_LEVEL: "silent",
    });
    try {
      const answer = await fetch(`${broken.url}/api/v1/health`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ type: "dependency_not_ready" });
    } finally {
      await broken.stop();
    }
  });
});
