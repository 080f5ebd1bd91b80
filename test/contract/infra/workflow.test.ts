/** The workflow that deploys: what it hands to azd, tried with the script of its own step. */
import { execFile, execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const root = path.join(import.meta.dirname, "../../..");

const workflow = z.object({
  jobs: z.object({
    deploy: z.object({
      env: z.record(z.string(), z.string()),
      steps: z.array(z.object({ name: z.string().optional(), run: z.string().optional() })),
    }),
  }),
});

function readWorkflow() {
  return workflow.parse(parse(readFileSync(path.join(root, ".github/workflows/deploy.yml"), "utf8"))).jobs.deploy;
}

it("[RELEASE-4] a deployment from GitHub keeps every option that is set, and names none that is not", () => {
  const { env, steps } = readWorkflow();
  const parameters = readFileSync(path.join(root, "infra/main.bicepparam"), "utf8");
  const options = [...parameters.matchAll(/readEnvironmentVariable\('(VOICE_\w+)'/g)].map(([, name]) => name ?? "");
  expect(options).toContain("VOICE_PRIVATE_NETWORKING");
  // One that is set to nothing in place of not at all would be read as an empty text.
  expect(Object.keys(env).filter((name) => name.startsWith("VOICE_"))).toEqual([]);

  const others = options.filter((name) => name !== "VOICE_SIZE");
  const set = Object.fromEntries(others.map((name) => [name, `value of ${name}`]));
  const folder = mkdtempSync(path.join(tmpdir(), "workflow-"));
  try {
    const file = path.join(folder, "env");
    const script = steps.find(({ run }) => run?.includes("VARIABLES"))?.run ?? "";
    const VARIABLES = JSON.stringify({ AZURE_LOCATION: "eastus2", ...set });
    const environment = { PATH: process.env["PATH"], SIZE: "production", GITHUB_ENV: file, VARIABLES };
    execFileSync("sh", ["-eu", "-c", script], { env: environment });
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines).toEqual(["VOICE_SIZE=production", ...Object.entries(set).map((option) => option.join("="))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs the last step of a deployment against a service that gives one answer after the other, and the last one again. */
async function requireReady(...answers: readonly object[]): Promise<string> {
  const given = [...answers];
  const server = createServer((_request, response) => {
    const body = JSON.stringify(given.length > 1 ? given.shift() : given[0]);
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const script = path.join(root, ".ci/require-ready.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, `http://127.0.0.1:${port}`, "3", "0"]);
  return stdout;
}

it("[OPS-31] a deployment ends once the service is ready, and fails where a part of it cannot be used", async () => {
  const check = (component: string, error: string | null) => ({
    component,
    status: error === null ? "healthy" : "unhealthy",
    error,
  });
  const well = { status: "ready", checks: [check("comm_caller", null)] };
  const away = "the communication service's endpoint could not be reached";
  const ill = { status: "degraded", checks: [check("cache", null), check("comm_caller", away)] };
  expect(await requireReady(ill, well)).toContain("the service is ready");
  await expect(requireReady(ill)).rejects.toThrow(`comm_caller: ${away}`);
  await expect(requireReady({ status: "not_ready", checks: [] })).rejects.toThrow("it reports: not_ready");
});
