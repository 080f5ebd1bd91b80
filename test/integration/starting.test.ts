/** How the commands of package.json begin: with the settings file, with what Core Tools need, and not on a taken port. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { nodeEnvironment } from "../support/node-environment.ts";
import { startRedisServer } from "../support/redis-server.ts";

const root = path.join(import.meta.dirname, "../..");

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs it to its end, with the given environment and nothing of ours but what lets Node start quickly. */
async function run(script: string, args: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env: { ...nodeEnvironment(), ...environment },
    cwd: root,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  return new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
}

describe.skipIf(process.platform === "win32")("npm run func", () => {
  let tools: string;

  beforeEach(() => {
    tools = mkdtempSync(path.join(tmpdir(), "core-tools-"));
    mkdirSync(path.join(root, "out/functions"), { recursive: true });
    const func = path.join(tools, "func");
    writeFileSync(func, '#!/bin/sh\necho "$1 $FUNCTIONS_WORKER_RUNTIME $LOG_LEVEL $(basename "$PWD")"\n');
    chmodSync(func, 0o755);
  });
  afterEach(() => rmSync(tools, { recursive: true, force: true }));

  it("starts Core Tools in the bundle, tells them the language, and hands the settings on", async () => {
    const environment = { PATH: `${tools}:/usr/bin:/bin`, LOG_LEVEL: "warn" };
    expect(await run("local/run-core-tools.ts", [], environment)).toEqual({
      code: 0,
      output: "start node warn functions\n",
    });
  });

  it("says what it does before it does anything", async () => {
    const { code, output } = await run("local/func-cli.ts", ["--port", "7072", "--help"], { PATH: "/usr/bin:/bin" });
    expect(code).toBe(0);
    expect(output).toMatch(/^Packages the functions app.*npm run func/s);
    expect(output).not.toContain("start node");
  });
});

describe.runIf(isRedisAvailable())("a taken port", () => {
  it("ends the functions app with one line, although it is connected to Redis", async () => {
    const redis = await startRedisServer();
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, "127.0.0.1", resolve);
    });
    try {
      const address = other.address();
      const port = address === null || typeof address === "string" ? 0 : address.port;
      const { code, output } = await run("local/start-functions.ts", ["--port", String(port)], {
        PATH: "/usr/bin:/bin",
        CACHE_HOST: "127.0.0.1",
        CACHE_PORT: String(redis.port),
        LOG_LEVEL: "error",
      });
      expect(code).toBe(1);
      expect(output.trim().split("\n")).toEqual([expect.stringContaining("EADDRINUSE")]);
    } finally {
      other.close();
      await redis.stop();
    }
  });
});
