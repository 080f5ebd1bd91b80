/**
 * The main job, with nothing faked: a synthetic caller's audio over a real socket, recognised, answered by an agent that
 * uses a tool and hands over, spoken back, and heard by a recogniser that knows only what agents say.
 */
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/caller/line-audio.ts";
import { startService } from "../../local/service.ts";
import type { Service } from "../../local/service.ts";
import { createJudge, wordErrorRate } from "./support/judge.ts";
import type { Judge } from "./support/judge.ts";

const callerVoice = "slt";
const greeting =
  "Thank you for calling Harbor Bank. I can check a balance, or connect you to our card team. How can I help you today?";
const balance =
  "Your checking account has two thousand four hundred thirty dollars and fifty cents. Is there anything else?";
const whichAccount = "Sure. Checking or savings?";
const whichCard = "I can block it right away. Is it your credit card or your debit card?";

let service: Service;
let synthesiser: Synthesiser;
let judge: Judge;

beforeAll(async () => {
  service = await startService({ settings: loadSettings({ PORT: "0" }), logger: silentLogger });
  synthesiser = await createLocalSynthesiser();
  judge = await createJudge(
    [greeting, balance, whichAccount, whichCard, "I am connecting you to our card team."].flatMap((text) =>
      text.split(/(?<=[.?])\s/),
    ),
  );
});

afterAll(async () => {
  await Promise.all([service.close(0), synthesiser.close(), judge.close()]);
});

async function call(query = ""): Promise<Caller> {
  return connectCaller({ url: new URL(`ws://127.0.0.1:${service.port}/api/v1/browser/conversation${query}`) });
}

async function line(text: string, sampleRateHz = 16_000): Promise<Int16Array> {
  return speakText(synthesiser, { text, voice: callerVoice, sampleRateHz });
}

describe("a spoken conversation", () => {
  it("recognises the caller, calls the tool, hands over, and says what it means to say", async () => {
    using caller = await call();
    const welcome = await caller.waitForReply();
    expect(welcome.says.map(({ text }) => text)).toEqual([greeting]);
    expect(wordErrorRate(greeting, await judge.transcribe(caller.recording.agentOnly()))).toBeLessThan(0.1);

    await caller.speak(await line("I want to check my balance"));
    const question = await caller.waitForReply();
    expect(question.heardText).toBe("i want to check my balance");
    expect(question.says.at(-1)?.text).toBe(whichAccount);

    const before = caller.recording.agentOnly().length;
    await caller.speak(await line("checking"));
    const answer = await caller.waitForReply();
    expect(answer.toolCalls).toMatchObject([
      { name: "get_account_balance", args: { account: "checking" }, status: "success" },
    ]);
    expect(answer.says.at(-1)?.text).toBe(balance);
    const heard = await judge.transcribe(caller.recording.agentOnly().subarray(before));
    expect(wordErrorRate(balance, heard)).toBeLessThan(0.1);

    await caller.speak(await line("I lost my card"));
    const handedOver = await caller.waitForReply();
    expect(handedOver.handoffs).toMatchObject([{ to: expect.any(String), type: "announced" }]);
    expect(handedOver.says.at(-1)?.agent).not.toBe(answer.says.at(-1)?.agent);

    const history = await service.state.sessions.history(caller.session.session_id);
    const spoken = history.filter(({ role, content }) => role !== "tool" && content !== "");
    expect(spoken.map(({ role, content }) => `${role}: ${content}`).slice(0, 5)).toEqual([
      `assistant: ${greeting}`,
      "user: i want to check my balance",
      `assistant: ${whichAccount}`,
      "user: checking",
      `assistant: ${balance}`,
    ]);
  });

  it("answers within the silence it waits for plus what its parts take", async () => {
    using caller = await call();
    await caller.waitForReply();
    await caller.speak(await line("I want to check my balance"));
    const reply = await caller.waitForReply();
    expect(reply.firstAudioMs).toBeGreaterThan(400);
    expect(reply.firstAudioMs).toBeLessThan(4000);
  });

  it("[BARGE-1] [BARGE-5] falls silent when it is interrupted and answers the interruption", async () => {
    using caller = await call();
    await caller.waitForAgentAudio();
    await caller.pause(1000);
    await caller.speak(await line("I want to check my balance"));
    const reply = await caller.waitForReply();
    expect(reply.says.at(-1)?.text).toBe(whichAccount);
    const [welcome] = await service.state.sessions.history(caller.session.session_id);
    expect(welcome).toMatchObject({ role: "assistant", interrupted: true });
    expect(greeting.startsWith(welcome?.content ?? "-")).toBe(true);
    expect(welcome?.content.length).toBeLessThan(greeting.length);
  });
});

describe("what must not be understood", () => {
  async function understood(audio: Int16Array): Promise<string> {
    using caller = await call();
    await caller.waitForReply();
    await caller.speak(audio);
    await caller.pause(2500);
    return caller.records
      .flatMap((record) => (record.kind === "message" && record.message.type === "transcript" ? [record.message] : []))
      .filter(({ payload }) => payload.is_final)
      .map(({ payload }) => payload.text)
      .join(" ");
  }

  it("silence", async () => {
    expect(await understood(new Int16Array(32_000))).toBe("");
  });

  it("speech played backwards", async () => {
    const sentence = await line("I want to check my balance");
    expect(await understood(sentence.toReversed())).not.toContain("balance");
  });

  it("speech at the wrong sample rate", async () => {
    expect(await understood(await line("I want to check my balance", 8000))).not.toContain("balance");
  });

  it("the other side's audio", async () => {
    const caller = await judge.transcribe(await line("I want to check my balance"));
    expect(wordErrorRate("i want to check my balance", caller)).toBeGreaterThan(0.5);
  });

  it("an answer that was cut off, by the judge", async () => {
    const whole = await line(greeting);
    expect(wordErrorRate(greeting, await judge.transcribe(whole.subarray(0, whole.length / 2)))).toBeGreaterThan(0.3);
  });
});
