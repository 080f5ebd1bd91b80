/**
 * The main job with every cloud adapter in the path: a caller's audio over a real socket, to the Speech protocol, to the
 * chat protocol, and back. Behind the protocols are the local engines, so that what is said and heard is real.
 */
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/caller/line-audio.ts";
import { startEmulatedService } from "./support/emulated-service.ts";
import type { EmulatedService } from "./support/emulated-service.ts";

let service: EmulatedService;
let callerVoice: Synthesiser;

const line = (text: string) => speakText(callerVoice, { text, voice: "slt", sampleRateHz: 16_000 });

beforeAll(async () => {
  // Caller, service, emulators and engines share this process: on a busy machine a final takes longer than callers wait.
  const patience = { VAD_TIMEOUT_MS: "10000" };
  [service, callerVoice] = await Promise.all([startEmulatedService(patience), createLocalSynthesiser()]);
});

afterAll(async () => {
  await Promise.all([service.close(), callerVoice.close()]);
});

it("greets, understands, calls a tool and answers, all through the cloud's protocols", async () => {
  using caller = await connectCaller({ url: service.url });
  const welcome = await caller.waitForReply();
  expect(welcome.says).toHaveLength(1);

  await caller.speak(await line("I want to check my balance"));
  const question = await caller.waitForReply();
  expect(question.heardText).toBe("i want to check my balance");
  expect(question.says.at(-1)?.text).toBe("Sure. Checking or savings?");

  await caller.speak(await line("checking"));
  const answer = await caller.waitForReply();
  expect(answer.toolCalls).toMatchObject([{ name: "get_account_balance", status: "success" }]);
  expect(answer.says.at(-1)?.text).toContain("two thousand four hundred thirty dollars");

  const { openai, speech } = service.emulators;
  expect(openai.requests.length).toBeGreaterThanOrEqual(3);
  expect(speech.connections.some(({ paths }) => paths.includes("ssml"))).toBe(true);
  expect(speech.connections.some(({ audioBytes }) => audioBytes.length > 100)).toBe(true);
});

it("falls silent when it is interrupted, and answers the interruption", async () => {
  using caller = await connectCaller({ url: service.url });
  await caller.waitForAgentAudio();
  await caller.pause(500);
  await caller.speak(await line("I want to check my balance"));
  const reply = await caller.waitForReply();
  expect(reply.says.at(-1)?.text).toBe("Sure. Checking or savings?");
});
