/** The workflow that deploys: what it hands to azd, tried with the script of its own step. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
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

it("a deployment from GitHub keeps every option that is set, and names none that is not", () => {
  const { env, steps } = readWorkflow();
  const parameters = readFileSync(path.join(root, "infra/main.bicepparam"), "utf8");
  const options = [...parameters.matchAll(/readEnvironmentVariable\('(VOICE_\w+)'/g)].map(([, name]) => name ?? "");
  expect(options).toContain("VOICE_PRIVATE_NETWORKING");
  // One that is set to nothing in place of not at all would be read as an empty text.
  expect(Object.keys(env).filter((name) => name.startsWith("VOICE_"))).toEqual([]);

  const set = Object.fromEntries(options.map((name) => [name, `value of ${name}`]));
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
