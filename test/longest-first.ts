/**
 * Which files of a project begin first: those that take longest, so that none of them is still running when all the others are done.
 * Vitest knows how long a file took once it has run; a fresh clone has only `seconds.json`, which `seconds-cli.ts` writes from the report
 * of a run.
 */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";
import seconds from "./seconds.json" with { type: "json" };

const takes: Readonly<Record<string, number>> = seconds;
/**
 * What is not in the table has come since it was written: it begins before those that are known to be shorter, so that a new file that takes
 * a minute is not the last to begin. Of the unit tests, only the few that are long are in the table.
 */
const unknownSeconds = (project: string): number => (project === "unit" ? 0 : 10);

/**
 * A quarter of a minute each, in which the processor has little to do: time to live that passes, peers that are slow. They begin before
 * everything else of their group, beside the conversations that need all of it. No more than half of the workers take them.
 */
const mostlyWait: ReadonlySet<string> = new Set([
  "test/contract/redis-state-on-a-cluster.test.ts",
  "test/contract/redis-state-on-one-server.test.ts",
  "test/resilience/hostile.test.ts",
]);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const nameOf = ({ moduleId }: TestSpecification): string => relative(this.ctx.config.root, moduleId);
    const takesSeconds = (file: TestSpecification): number => takes[nameOf(file)] ?? unknownSeconds(file.project.name);
    const begins = (file: TestSpecification): number => (mostlyWait.has(nameOf(file)) ? 0 : 1);
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's: Vitest's own order
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        groupOf(one) - groupOf(other) || begins(one) - begins(other) || takesSeconds(other) - takesSeconds(one),
    );
  }
}
