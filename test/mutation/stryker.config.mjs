/** What is mutated, and which tests should notice it: docs/benchmarks.md, "Whether tests notice a change". */
import { fileURLToPath } from "node:url";

const turn = "streaming-host/src/session/turn";
/** Without those that try every order of events: each would run for most mutants, and takes ten seconds. */
const testsOfTurns = [`${turn}/!(every-)*.test.ts`];

const sets = {
  "end-of-turn": { mutate: [`${turn}/end-of-turn.ts`], tests: testsOfTurns },
  turn: {
    mutate: ["turn-machine", "own-turns", "interruption"].map((name) => `${turn}/${name}.ts`),
    tests: testsOfTurns,
  },
  calls: {
    mutate: ["apply-callback", "call-transitions", "call-end-reason"].map((name) => `shared/src/calls/${name}.ts`),
    tests: ["shared/src/calls/*.test.ts"],
  },
  auth: {
    mutate: ["caller", "origin", "open-access", "session-owner", "telephony-signature", "verify-telephony"].map(
      (name) => `shared/src/auth/${name}.ts`,
    ),
    tests: ["shared/src/auth/*.test.ts"],
  },
  state: {
    mutate: ["buffered-session-store", "history-order", "redis/known-watchers"].map(
      (name) => `shared/src/state/${name}.ts`,
    ),
    tests: ["shared/src/state/*.test.ts", "shared/src/state/redis/*.test.ts"],
  },
};

const set = sets[process.env["MUTATION_SET"]];
if (set === undefined) throw new Error(`name a set: ${Object.keys(sets).join(", ")}`);
process.env["MUTATION_TESTS"] = JSON.stringify(set.tests);

export default {
  mutate: set.mutate,
  testRunner: "vitest",
  vitest: { configFile: fileURLToPath(new URL("vitest.config.ts", import.meta.url)), related: false },
  plugins: [fileURLToPath(new URL("node_modules/@stryker-mutator/vitest-runner/dist/src/index.js", import.meta.url))],
  ignorePatterns: ["out", "docs", "infra", "**/fixtures/recordings"],
  tempDirName: "out/mutation/sandbox",
  concurrency: 2,
  // Nearly all are sentences for a log.
  mutator: { excludedMutations: ["StringLiteral"] },
  coverageAnalysis: "perTest",
  reporters: ["progress-append-only", "clear-text", "json"],
  jsonReporter: { fileName: `out/mutation/${process.env["MUTATION_SET"]}.json` },
  // There is no such file: TypeScript 7 has no API with which it could be rewritten, and nothing here reads it.
  tsconfigFile: "none",
};
