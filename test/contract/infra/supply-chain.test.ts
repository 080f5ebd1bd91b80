/** What is built with and what is deployed is what was checked: nothing that somebody else can move under its name. */
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

const root = path.join(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const workflows = globSync(".github/workflows/*.yml", { cwd: root }).toSorted();

it("every action is pinned to a commit, beside which stands the version that it is", () => {
  const uses = workflows.flatMap((name) => [...read(name).matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, at]) => at));
  expect(uses.length).toBeGreaterThan(10);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  // One action has one version, or the comment lies about one of them.
  const versions = new Map(uses.map((action) => [action?.split("@")[0], action]));
  expect(new Set(uses).size).toBe(versions.size);
});

it("every base image is pinned by its digest, and all stages have the same one", () => {
  const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(bases).toHaveLength(2);
  for (const image of bases) expect(image).toMatch(/^node:24-slim@sha256:[0-9a-f]{64}$/);
  expect(new Set(bases).size).toBe(1);
  const started = [...read("compose.yaml").matchAll(/^ {4}image: (\S+)/gm)].map(([, image]) => image ?? "");
  // The Functions host is the one that Azure has at the time.
  expect(started.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([
    "mcr.microsoft.com/azure-functions/node:4-node24",
  ]);
});

it("known holes in what is shipped fail the checks, and a release has its contents and its origin with it", () => {
  const check = read(".github/workflows/check.yml");
  expect(check).toContain("npm audit --omit=dev --audit-level=high\n");
  expect(check).toMatch(
    /uses: anchore\/scan-action@.*\n\s+with:\n\s+image: streaming-host:check\n\s+severity-cutoff: high/,
  );
  const release = read(".github/workflows/release.yml");
  expect(release.match(/uses: actions\/attest@/g)).toHaveLength(3);
  expect(release).toContain("npm run sbom");
  expect(release).toContain("sbom-path: out/sbom.cdx.json");
});

it("[RELEASE-7] a release is made of a tag that is the version of every package, and that the changelog describes", async () => {
  const requireVersion = (tag: string) =>
    promisify(execFile)(process.execPath, [path.join(root, ".ci/require-version.mjs"), tag]);
  const release = read(".github/workflows/release.yml");
  expect(release.match(/run: \.ci\/require-version\.mjs "\$TAG"/g)).toHaveLength(2);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
  await requireVersion(`v${version}`);
  await expect(requireVersion("v0.0.9")).rejects.toThrow("the tag is v0.0.9, and package.json has the version");
});

describe("a deployment and a release", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "checks-"));
    writeFileSync(path.join(folder, "sleep"), `#!/bin/sh\necho . >>"${folder}/waited"\n`, { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the script with a GitHub CLI that gives one answer after the other, and the last one again and again. */
  async function requireChecks(...answers: readonly string[]) {
    const cases = answers.map((answer, index) => `[ "$asked" -gt ${index + 1} ] || { echo ${answer}; exit 0; }`);
    const gh = `#!/bin/sh\necho "$*" >>"${folder}/calls"\nasked=$(wc -l <"${folder}/calls")\n${cases.join("\n")}\necho ${answers.at(-1)}\n`;
    writeFileSync(path.join(folder, "gh"), gh, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env["PATH"]}`, GITHUB_REPOSITORY: "owner/name", GITHUB_SHA: "abc123" };
    return promisify(execFile)("sh", [path.join(root, ".ci/require-checks")], { env });
  }

  it("come after the checks in their workflows", () => {
    for (const name of ["deploy.yml", "release.yml"]) {
      const steps = read(`.github/workflows/${name}`);
      const required = steps.indexOf("run: .ci/require-checks");
      expect(required).toBeGreaterThan(0);
      // Nothing of the commit is run before.
      expect(steps.indexOf("npm ")).toSatisfy((at: number) => at === -1 || at > required);
      expect(steps.indexOf("azd up")).toSatisfy((at: number) => at === -1 || at > required);
      expect(steps).toContain("actions: read\n");
    }
  });

  it("go on once the checks of the very commit have passed", async () => {
    const { stdout } = await requireChecks("missing", "running", "running", "success");
    expect(stdout).toContain("the checks of abc123 have passed");
    expect(readFileSync(path.join(folder, "calls"), "utf8")).toContain("head_sha=abc123");
    expect(readFileSync(path.join(folder, "waited"), "utf8").split("\n")).toHaveLength(4);
  });

  it.each(["failure", "cancelled", "timed_out", "skipped"])("end where they ended with %s", async (conclusion) => {
    await expect(requireChecks("running", conclusion)).rejects.toThrow(`ended with: ${conclusion}`);
  });

  it("end where they never ran, and where they do not end", async () => {
    await expect(requireChecks("missing")).rejects.toThrow("no checks have run for abc123");
    await expect(requireChecks("running")).rejects.toThrow("have not ended within an hour");
  });
});
