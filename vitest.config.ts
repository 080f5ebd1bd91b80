import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { longestWaitMs } from "./test/support/wait.ts";

const cores = availableParallelism();
/**
 * Where some tests fill a core and others mostly wait, more workers than cores use what either alone leaves idle: one after the other these
 * files take 1,136 s, for 356 of which they have a processor (decision 069). Each worker loads the service first, in four seconds of one.
 */
const besideEachOther = cores + 4;
/** Each starts processes that fill both cores until they are ready, and what they measure is in real time. `TEST_FLEETS` says how many at a time. */
const fleetsBesideEachOther = Number(process.env["TEST_FLEETS"] ?? cores + 2);

/**
 * Node runs this code as it is, so nothing has to transform it, and Node keeps what it compiled for the next worker, and for the
 * processes and projects that come after.
 */
const asNodeRunsIt = { experimental: { viteModuleRunner: false } };

/** What these tests wait for comes in milliseconds, but not on a busy machine: the limits only end what hangs. */
const patient = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: longestWaitMs } },
  // A failure names what was there. Chai writes `[ Array(1) ]` for a list of more than 40 characters.
  chaiConfig: { truncateThreshold: 1000 },
  // The machine that runs the tests may have an identity in the cloud, or an address that somebody answers whom Microsoft's library would
  // ask for one (169.254.169.254). Nobody listens here, and nothing is asked beyond this machine; see test/support/entra-thread.ts.
  env: { IDENTITY_ENDPOINT: "http://127.0.0.1:1/", IDENTITY_HEADER: "nobody" },
  exclude: ["**/node_modules/**", "out/**"],
};

/**
 * One project for each reason to be slow. They run one after the other (`groupOrder`), so that what needs the processor is
 * not disturbed by what only waits. CONTRIBUTING.md says which command runs which.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/support/say-what-is-missing.ts", "test/support/share-speech.ts"],
    projects: [
      {
        test: {
          ...patient,
          name: "unit",
          ...asNodeRunsIt,
          setupFiles: "test/support/only-loopback.ts",
          include: [
            "{shared,provider-kit,local-voice,streaming-host,functions,local,client-kit,console}/**/*.test.ts",
            "test/{soak,hostile,chaos,mutation,support,bench/load,bench/hearing,bench/hearing/people}/*.test.ts",
          ],
          // Nothing here keeps state between files, and nearly all of the time went into loading the same modules for each.
          isolate: false,
          pool: "threads",
          maxWorkers: cores,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...patient,
          name: "integration",
          ...asNodeRunsIt,
          setupFiles: "test/support/only-loopback.ts",
          include: ["test/{contract,integration,speech}/**/*.test.ts"],
          // Sockets, processes and spoken conversations, which mostly wait for each other. A worker loads the service, which takes
          // four seconds of a processor, and what they all need once.
          isolate: false,
          // Where the tests of a file run beside each other, they wait for limits and life spans to end.
          maxConcurrency: 10,
          maxWorkers: besideEachOther,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patient,
          name: "browser",
          ...asNodeRunsIt,
          setupFiles: "test/support/only-loopback.ts",
          include: ["test/browser/**/*.test.ts"],
          // The console in Chromium, which has two thirds of the processor time here. Some pages listen and speak in real time, so there are
          // no more workers than keep the cores busy.
          isolate: false,
          maxWorkers: cores + 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...patient,
          name: "engines",
          ...asNodeRunsIt,
          include: ["test/engines/**/*.test.ts"],
          // What the local engines hear and say, which changes when they do. Each fills a core.
          isolate: false,
          maxWorkers: cores,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...patient,
          name: "resilience",
          ...asNodeRunsIt,
          include: ["test/resilience/**/*.test.ts"],
          globalSetup: "test/resilience/packages.ts",
          // Whole fleets of processes, in real time. Most of it is listening to somebody who speaks; the rest is starting processes, which
          // the workers themselves do once.
          isolate: false,
          maxWorkers: fleetsBesideEachOther,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
