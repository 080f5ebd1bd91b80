import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/**
 * A machine that has never run the tests knows only their sizes, and begins with the largest file. What takes long here are
 * conversations in real time, in small files too; one of those begun last keeps a single worker busy for minutes.
 */
class RealTimeFirst extends BaseSequencer {
  override async sort(...files: [TestSpecification[]]): Promise<TestSpecification[]> {
    const sorted = await super.sort(...files);
    const isRealTime = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/e2e/");
    return [...sorted.filter(isRealTime), ...sorted.filter((file) => !isRealTime(file))];
  }
}

/** `unit` is fast, alone in its process and free of sockets; `system` starts real processes, sockets and speech engines. */
export default defineConfig({
  test: {
    sequence: { sequencer: RealTimeFirst },
    projects: [
      {
        test: {
          name: "unit",
          // Plenty: the machine may be busy, and nothing here waits for anything.
          testTimeout: 30_000,
          include: ["{shared,streaming-host,functions,local,console}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "out/**"],
        },
      },
      {
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "out/**"],
          // Engines and processes are started per file; more of them at once than cores only makes each of them late.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // What these tests wait for comes in milliseconds, but not on a machine that has other things to do: the limits
          // only end what hangs.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
