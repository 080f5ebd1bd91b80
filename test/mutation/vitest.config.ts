/** The unit tests that may notice a change of what is mutated (`stryker.config.mjs`), which says by `MUTATION_TESTS` which these are. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"),
    isolate: false,
    pool: "threads",
  },
});
