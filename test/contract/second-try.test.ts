/** What a run of everything counts: `.ci/failed-files.mjs` chooses what is tried again, `.ci/counts.mjs` adds up both tries. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");

interface Tests {
  readonly [name: string]: "passed" | "failed";
}

describe("a run whose tests are tried again", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "second-try-"));
    for (const name of ["tests", "browser", "engines", "resilience"])
      write(name, { [`test/${name}.test.ts`]: { works: "passed" } });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(name: string, files: Readonly<Record<string, Tests>>, unhandledErrors: readonly string[] = []): void {
    const testResults = Object.entries(files).map(([file, tests]) => ({
      name: path.join(root, file),
      status: Object.values(tests).includes("failed") || Object.keys(tests).length === 0 ? "failed" : "passed",
      message: `${name} could not load it`,
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: status === "failed" ? [`Error: ${name} says why`] : [],
      })),
    }));
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ testResults, unhandledErrors }));
  }

  function count(status = "0") {
    const { stdout, status: code } = spawnSync(process.execPath, [".ci/counts.mjs", folder, status], {
      cwd: root,
      encoding: "utf8",
    });
    return { lines: stdout.trimEnd().split("\n"), code };
  }

  const chooseFiles = () =>
    spawnSync(process.execPath, [".ci/failed-files.mjs", path.join(folder, "tests.json")], {
      cwd: root,
      encoding: "utf8",
    });

  it("is counted once, and names what needed a second try", () => {
    write("tests", {
      "test/calm.test.ts": { works: "passed" },
      "test/hasty.test.ts": { first: "passed", second: "failed" },
    });
    expect(chooseFiles()).toMatchObject({ stdout: "test/hasty.test.ts\n", status: 0 });
    write("tests-again", { "test/hasty.test.ts": { first: "passed", second: "passed" } });
    expect(count()).toEqual({
      lines: ["needed a second try: test/hasty.test.ts > second", "  Error: tests says why", "6 passed, 0 failed"],
      code: 0,
    });
  });

  it("has failed where a file fails twice, whichever of its tests it is", () => {
    write("tests", { "test/wrong.test.ts": { first: "failed", second: "passed" } });
    write("tests-again", { "test/wrong.test.ts": { first: "passed", second: "failed" } });
    expect(count("1")).toEqual({
      lines: [
        "failed: test/wrong.test.ts > second",
        "  Error: tests-again says why",
        "had failed in the first try, too: test/wrong.test.ts > first",
        "  Error: tests says why",
        "4 passed, 1 failed",
      ],
      code: 1,
    });
  });

  it("has failed where the second try did not come so far, and where a file has no tests", () => {
    write("tests", { "test/lost.test.ts": { works: "failed" }, "test/broken.test.ts": {} });
    write("tests-again", {});
    const { lines, code } = count("1");
    expect(lines.filter((line) => line.startsWith("failed"))).toEqual([
      "failed: test/lost.test.ts > works",
      "failed: test/broken.test.ts",
    ]);
    expect([lines.at(-1), code]).toEqual(["3 passed, 2 failed", 1]);
  });

  it("is not excused from an error outside of every test, nor from many failures, nor from a gate that failed", () => {
    write("tests", { "test/hasty.test.ts": { works: "failed" } }, ["Error: nobody awaited this"]);
    expect(chooseFiles()).toMatchObject({ stdout: "", status: 1 });
    write("tests", { "test/fine.test.ts": { works: "passed" } }, ["Error: nobody awaited this"]);
    expect(chooseFiles()).toMatchObject({ stdout: "", status: 1 });
    expect(count("1").lines).toEqual([
      "failed: tests, outside of every test",
      "  Error: nobody awaited this",
      "4 passed, 1 failed",
    ]);

    const many = Array.from({ length: 11 }, (_, index): [string, Tests] => [
      `test/${index}.test.ts`,
      { works: "failed" },
    ]);
    write("tests", Object.fromEntries(many));
    expect(chooseFiles()).toMatchObject({ stdout: "", status: 1 });

    write("tests", { "test/fine.test.ts": { works: "passed" } });
    expect(count("1")).toEqual({ lines: ["4 passed, 1 failed"], code: 1 });
    rmSync(path.join(folder, "engines.json"));
    expect(count().lines.at(-1)).toBe("3 passed, 1 failed");
  });
});
