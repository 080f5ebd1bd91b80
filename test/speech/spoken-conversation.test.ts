/**
 * The main job, with nothing faked: a synthetic caller's audio over a real socket, recognised, answered by an agent that
 * uses a tool and hands over, spoken back, and heard by a recogniser that knows only what agents say.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compose, local as remembering } from "../support/composition.ts";
import type { ComposedService, Composition } from "../support/composition.ts";
import { wordErrorRate } from "../support/judge.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { createBankJudge, describeSpokenConversation, greeting } from "../support/spoken-conversation.ts";

const local: Composition = { ...remembering, localSpeech: decodedSpeech };
let service: ComposedService;
const judge = createBankJudge();

beforeAll(async () => {
  service = await compose(local);
});

afterAll(() => service.close());

function line(text: string, sampleRateHz = 16_000): Promise<Int16Array> {
  return spokenLine({ text, voice: "slt", sampleRateHz });
}

describeSpokenConversation(local);

describe("an answer", () => {
  it("comes within the silence that is waited for plus what its parts take", async () => {
    using caller = await service.call();
    await caller.waitForReply();
    await caller.speak(await line("I want to check my balance"));
    const reply = await caller.waitForReply();
    expect(reply.firstAudioMs).toBeGreaterThan(100);
    expect(reply.firstAudioMs).toBeLessThan(4000);
  });
});

describe("the judge does not understand", () => {
  it("the caller's audio", async () => {
    const caller = await judge.transcribe(await line("I want to check my balance"));
    expect(wordErrorRate("i want to check my balance", caller)).toBeGreaterThan(0.5);
  });

  it("an answer that was cut off", async () => {
    const whole = await line(greeting);
    expect(wordErrorRate(greeting, await judge.transcribe(whole.subarray(0, whole.length / 2)))).toBeGreaterThan(0.3);
  });
});
