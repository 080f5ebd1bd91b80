/**
 * Which files of a project begin first: those that take longest, so that none of them is still running when all the others are done.
 * Vitest knows how long a file took once it has run; a fresh clone has only this list, measured on two cores.
 */
import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/** Seconds. Those that take less come in the order of their size. */
const takes: Readonly<Record<string, number>> = {
  "test/speech/spoken-dialogues.test.ts": 49,
  "test/speech/local-speech.test.ts": 40,
  "test/speech/console.test.ts": 37,
  "test/speech/cloud-conversation.test.ts": 34,
  "test/speech/phone-calls.test.ts": 28,
  "test/speech/voicemail.test.ts": 25,
  "test/speech/secrets-in-output.test.ts": 24,
  "test/speech/turn-taking.test.ts": 20,
  "test/speech/caller-cli.test.ts": 20,
  "test/speech/call-recording.test.ts": 16,
  "test/speech/spoken-conversation.test.ts": 16,
  "test/speech/hold.test.ts": 15,
  "test/speech/real-time.test.ts": 14,
  "test/speech/telephony-bridge.test.ts": 13,
  "test/speech/cloud-turn-taking.test.ts": 13,
  "test/speech/cloud-phone-calls.test.ts": 12,
  "test/speech/silent-calls.test.ts": 11,
  "test/speech/console-layout.test.ts": 10,
  "test/speech/console-build.test.ts": 9,
  "test/speech/local-recogniser.test.ts": 8,
  "test/contract/redis-state-on-a-cluster.test.ts": 30,
  "test/contract/redis-state-on-one-server.test.ts": 29,
  "test/integration/functions-bundle.test.ts": 19,
  "test/integration/redis-cluster.test.ts": 15,
  "test/integration/openai-language-model.test.ts": 11,
  "test/integration/caller.test.ts": 10,
  "test/integration/realtime-model-fails.test.ts": 9,
  "test/integration/recognition-fails.test.ts": 7,
  "test/integration/language-model-fails.test.ts": 7,
  "test/integration/operators.test.ts": 6,
  "test/integration/capacity-and-drain.test.ts": 6,
  "test/integration/redis-security.test.ts": 6,
  "test/integration/synthesis-fails.test.ts": 6,
  "test/integration/app-configuration.test.ts": 5,
  "test/resilience/call-survival.test.ts": 85,
  "test/resilience/call-outages.test.ts": 62,
  "test/resilience/effect-survival.test.ts": 60,
  "test/resilience/call-takeover.test.ts": 55,
  "test/resilience/console-watch.test.ts": 38,
  "test/resilience/streaming-host-package.test.ts": 34,
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const takesSeconds = ({ moduleId }: TestSpecification): number =>
      takes[relative(this.ctx.config.root, moduleId)] ?? 0;
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    // A worker ends when the next file is another project's, and with it goes everything that it loaded.
    const placeOf = ({ project }: TestSpecification): number => this.ctx.projects.indexOf(project);
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's: Vitest's own order
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (one, other) =>
        groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other) || takesSeconds(other) - takesSeconds(one),
    );
  }
}
