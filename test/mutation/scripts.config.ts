/** Runs the state's contract against changed scripts (`scripts.changed.ts`). */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/mutation/scripts.changed.ts"],
    experimental: { viteModuleRunner: false },
    // Tests are to fail, and what a changed script answers may fail where nobody waits for it. The results are in a file.
    reporters: [{}],
    dangerouslyIgnoreUnhandledErrors: true,
    // They wait for life spans to end.
    maxConcurrency: 30,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
