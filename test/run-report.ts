/**
 * The report that `.ci/run` counts: Vitest's own, and the errors outside of every test, which Vitest only prints. They fail a run in which
 * each test has passed, and no second try of a file excuses them. And how long each file took with its hooks, of which the tests' own times say
 * nothing: one file attacks a service for a minute before its first test (seconds-cli.ts).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { JsonReporter } from "vitest/node";
import type { Reporter, TestModule } from "vitest/node";

type UnhandledErrors = Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1];

export default class RunReport extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[], errors: UnhandledErrors = []): Promise<void> {
    await super.onTestRunEnd(modules);
    const { outputFile } = this.ctx.config;
    const path = typeof outputFile === "object" ? outputFile["json"] : outputFile;
    if (path === undefined) throw new Error("--outputFile.json names no file");
    const report: unknown = JSON.parse(readFileSync(path, "utf8"));
    const unhandledErrors = errors.map(({ stack, message }) => stack ?? message);
    const fileMs = Object.fromEntries(
      modules.map((module) => [module.moduleId, module.diagnostic().collectDuration + module.diagnostic().duration]),
    );
    writeFileSync(path, JSON.stringify({ ...Object(report), unhandledErrors, fileMs }));
  }
}
