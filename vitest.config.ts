import { defineConfig } from "vitest/config";

/** `unit` is fast, alone in its process and free of sockets; `system` starts real processes, sockets and speech engines. */
export default defineConfig({
  test: {
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
