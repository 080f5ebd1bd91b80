/** What a caller hears, and what is reported, when a cloud service fails in the middle of a conversation. */
import type { Answer } from "@voice/local/emulators/openai/answer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { startEmulatedService } from "./support/emulated-service.ts";
import type { EmulatedService } from "./support/emulated-service.ts";

const apology = /^I am sorry, (?:something went wrong on my side|I still have a problem here)/;
const answer = /^Sure\. Checking or savings\?$/;
let service: EmulatedService;

beforeEach(async () => {
  service = await startEmulatedService({ RETRY_MAX_ATTEMPTS: "1", RETRY_JITTER: "false" });
});

afterEach(() => service.close());

async function greeted(): Promise<Caller> {
  const caller = await connectCaller({ url: service.url });
  await caller.waitForAgentAudio();
  return caller;
}

const unavailable: Answer = { kind: "refusal", status: 503 };
const modelFaults: readonly {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly said: RegExp;
}[] = [
  { name: "refuses once", answers: [{ kind: "refusal", status: 429, retryAfterMs: 50 }], said: answer },
  { name: "closes the socket before the first byte, once", answers: [{ kind: "hang-up" }], said: answer },
  { name: "is unavailable", answers: Array.from({ length: 4 }, () => unavailable), said: apology },
  {
    name: "refuses the key",
    answers: [
      { kind: "refusal", status: 401 },
      { kind: "refusal", status: 401 },
    ],
    said: apology,
  },
  {
    name: "breaks off in the middle",
    answers: [{ kind: "completion", text: "Let me see what I have for you", cutAfterChunks: 4 }],
    said: apology,
  },
  {
    name: "is stopped by its content filter before a word",
    answers: [{ kind: "refusal", status: 400, code: "content_filter" }],
    said: apology,
  },
];

describe("a language model that", () => {
  it.each(modelFaults)(
    "$name",
    async ({ answers, said }) => {
      using caller = await greeted();
      service.emulators.openai.script(...answers);
      caller.type("I want to check my balance");
      const reply = await caller.waitForReply({ timeoutMs: 15_000 });
      expect(reply.says.at(-1)?.text).toMatch(said);
      expect(reply.firstAudioMs).toBeDefined();
      expect(reply.ended).toBeUndefined();
    },
    40_000,
  );
});

describe("a voice that", () => {
  it("breaks off before its first chunk is asked again, and nobody notices", async () => {
    using caller = await greeted();
    service.emulators.speech.fail({ kind: "drop", at: "turn" });
    caller.type("I want to check my balance");
    const reply = await caller.waitForReply();
    expect(reply.says.at(-1)?.text).toMatch(answer);
    expect(reply.errors).toEqual([]);
  });
});
