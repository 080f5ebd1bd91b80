/**
 * Which files of a project begin first: those that take longest, so that none of them is still running when all the others are done.
 * Vitest knows how long a file took once it has run; a fresh clone has only this list, measured on two cores.
 */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Seconds. Those that take less come in the order of their size. */
const takes: Readonly<Record<string, number>> = {
  "test/speech/local-speech.test.ts": 65,
  "test/speech/spoken-dialogues.test.ts": 60,
  "test/speech/voicemail.test.ts": 59,
  "test/speech/console.test.ts": 49,
  "test/speech/cloud-conversation.test.ts": 44,
  "test/speech/phone-calls.test.ts": 37,
  "test/speech/cloud-turn-taking.test.ts": 31,
  "test/speech/local-recogniser.test.ts": 31,
  "test/speech/secrets-in-output.test.ts": 28,
  "test/speech/console-layout.test.ts": 23,
  "test/speech/console-keyboard.test.ts": 23,
  "test/speech/turn-taking.test.ts": 23,
  "test/speech/caller-cli.test.ts": 22,
  "test/speech/console-build.test.ts": 21,
  "test/speech/telephony-bridge.test.ts": 21,
  "test/speech/spoken-conversation.test.ts": 20,
  "test/speech/call-recording.test.ts": 16,
  "test/speech/console-sign-in.test.ts": 16,
  "test/speech/real-time.test.ts": 15,
  "test/speech/cloud-phone-calls.test.ts": 14,
  "test/speech/hold.test.ts": 14,
  "test/speech/call-length.test.ts": 13,
  "test/speech/silent-calls.test.ts": 13,
  "test/speech/call-control.test.ts": 11,
  "test/speech/local-synthesiser.test.ts": 11,
  "test/speech/composed-cloud.test.ts": 10,
  "test/speech/cross-origin.test.ts": 6,
  "test/speech/emulated-cloud.test.ts": 6,
  "test/contract/redis-state-on-a-cluster.test.ts": 15,
  "test/contract/redis-state-on-one-server.test.ts": 14,
  "test/integration/functions-bundle.test.ts": 20,
  "test/integration/capacity-and-drain.test.ts": 18,
  "test/integration/redis-cluster.test.ts": 15,
  "test/integration/recognition-fails.test.ts": 14,
  "test/integration/simulate.test.ts": 12,
  "test/integration/openai-language-model.test.ts": 11,
  "test/integration/caller.test.ts": 10,
  "test/integration/http/hostile-input.test.ts": 10,
  "test/integration/own-providers.test.ts": 9,
  "test/integration/realtime-model-fails.test.ts": 9,
  "test/integration/event-crash.test.ts": 7,
  "test/integration/cache-outage.test.ts": 6,
  "test/integration/language-model-fails.test.ts": 6,
  "test/integration/operators.test.ts": 6,
  "test/integration/redis-security.test.ts": 6,
  "test/integration/synthesis-fails.test.ts": 6,
  "test/contract/dialogues.test.ts": 5,
  "test/integration/app-configuration.test.ts": 5,
  "test/integration/doctor.test.ts": 5,
  "test/integration/redis-outage.test.ts": 5,
  "test/integration/http/access.test.ts": 5,
  "test/integration/speech/azure-contract.test.ts": 5,
  "test/resilience/call-survival.test.ts": 98,
  "test/resilience/call-outages.test.ts": 75,
  "test/resilience/effect-survival.test.ts": 70,
  "test/resilience/call-takeover.test.ts": 68,
  "test/resilience/streaming-host-package.test.ts": 47,
  "test/resilience/console-watch.test.ts": 45,
  "test/resilience/redis-cluster-failover.test.ts": 24,
  "test/resilience/recording-of-a-killed-host.test.ts": 23,
  "test/resilience/traced-call.test.ts": 20,
  "test/resilience/packages-behind-sign-in.test.ts": 15,
  "test/resilience/full-house.test.ts": 9,
  "test/resilience/busy-line.test.ts": 5,
};

/**
 * A quarter of a minute each, in which the processor has little to do: time to live that passes, peers that are slow. They begin before
 * everything else of their group, beside the conversations that need all of it. No more than half of the workers take them.
 */
const mostlyWait: ReadonlySet<string> = new Set([
  "test/contract/redis-state-on-a-cluster.test.ts",
  "test/contract/redis-state-on-one-server.test.ts",
  "test/integration/hostile.test.ts",
]);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const nameOf = ({ moduleId }: TestSpecification): string => relative(this.ctx.config.root, moduleId);
    const takesSeconds = (file: TestSpecification): number => takes[nameOf(file)] ?? 0;
    const begins = (file: TestSpecification): number => (mostlyWait.has(nameOf(file)) ? 0 : 1);
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // A worker ends when the next file is another project's, and with it goes everything that it loaded.
    const placeOf = ({ project }: TestSpecification): number => this.ctx.projects.indexOf(project);
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's: Vitest's own order
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        groupOf(one) - groupOf(other) ||
        begins(one) - begins(other) ||
        placeOf(one) - placeOf(other) ||
        takesSeconds(other) - takesSeconds(one),
    );
  }
}
