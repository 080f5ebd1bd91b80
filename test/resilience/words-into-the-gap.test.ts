/**
 * What becomes of somebody who speaks while no host has their call's stream: real host processes, Redis, the functions, the telephone
 * network, real speech, and SIGKILL. Rules: docs/calls.md, TAKE-3.
 */
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { systemClock } from "@voice/shared/platform/clock";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { speakText } from "../../local/person/line-audio.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { AttentiveCaller } from "../support/attentive-caller.ts";
import { clerkGreeting as greeting, startClerkFleet } from "../support/clerk-fleet.ts";
import type { ClerkFleet } from "../support/clerk-fleet.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { eventually } from "../support/wait.ts";

const sampleRateHz = 16_000;
/** After this silence the agent asks, if it does not know for how long nobody listened (TAKE-3c). */
const usualMs = 4000;
const apology = expect.stringMatching(/^assistant: .*say that again/);
const story = expect.stringContaining("assistant: Once upon a time");

describe.skipIf(!isRedisAvailable())("a caller who speaks while no host has their stream", () => {
  let rig: ClerkFleet;

  beforeAll(async () => {
    rig = await startClerkFleet({ hosts: 2, packages: inject("packages") });
  });

  afterAll(() => rig.close());

  it(
    "[TAKE-3g] [TAKE-3h] is soon asked for it, once, and is answered when they say it again",
    { timeout: 120_000 },
    async () => {
      const { fleet } = rig;
      const synthesiser = await createLocalSynthesiser({ clock: systemClock });
      const words = await speakText(synthesiser, { text: "tell me a story", voice: "slt", sampleRateHz });
      await synthesiser.close();
      const { emulator } = fleet.network;
      // The host's lease has to run out first, so the gap is longer than the sentence.
      emulator.onBrokenStream = "says nothing";
      const caller = new AttentiveCaller();
      const call = await emulator.dial(phoneNumbers.person, phoneNumbers.service, caller);
      const spoken = async (): Promise<readonly string[]> => {
        const record = await fleet.state.calls.getByConnection(call.id);
        return record === undefined ? [] : await fleet.spoken(record);
      };
      await caller.firstWord(30_000);
      await eventually(async () => (await spoken()).length === 1, "the greeting was heard, and is stored");
      await fleet.carrier().kill();
      caller.listenAnew();
      await caller.say(words);
      expect(call.streams.opened).toBe(1);
      await eventually(() => call.streams.opened === 2, "another host has the stream");
      const openedMs = performance.now();
      expect((await caller.firstWord(30_000)) - openedMs).toBeLessThan(usualMs);
      await eventually(
        async () => (await spoken()).length === 2,
        "the request to say it again was heard, and is stored",
      );
      expect(await spoken()).toEqual([greeting, apology]);
      await caller.say(words);
      await eventually(async () => (await spoken()).length === 4, "the answer was heard, and is stored", 30_000);
      expect(await spoken()).toEqual([greeting, apology, "user: tell me a story", story]);
      caller.hangUp();
    },
  );
});
