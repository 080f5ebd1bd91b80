/** The requirements that a session has of every realtime model, whatever its vendor. Each provider's test calls this with its factory. */
import type { RealtimeModel, RealtimeSession, RealtimeSettings } from "../ports/realtime-model.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RealtimeLog, say } from "./realtime-log.ts";
import type { ScriptedAnswer } from "./scripted-answer.ts";

export interface RealtimeRig {
  readonly model: RealtimeModel;
  /** The model's responses, and the requests that it received. */
  readonly answers: { push(...answers: readonly ScriptedAnswer[]): unknown };
  readonly asked: readonly { readonly messages: readonly object[] }[];
  /** What is recognised in the next utterances of the caller. */
  hears(...texts: readonly string[]): void;
  hangUp(): void;
  close(): Promise<void>;
}

export interface RealtimeFixture {
  readonly name: string;
  /** How long the double's voice takes for a word. */
  readonly wordMs: number;
  create(): Promise<RealtimeRig>;
  /** The same service, called with a key that it rejects. */
  createRefused(): Promise<RealtimeRig>;
}

export const realtimeSettings: RealtimeSettings = {
  instructions: "Be brief.",
  voice: { name: "en-US-AvaMultilingualNeural" },
  tools: [{ name: "find_order", description: "Finds an order.", parameters: { type: "object", properties: {} } }],
  sampleRateHz: 24_000,
  language: "en-US",
  phrases: ["Contoso"],
  turnDetection: { kind: "silence", silenceMs: 300, interruptsResponse: true },
  noiseSuppression: true,
  echoCancellation: true,
};

const neverAborted = new AbortController().signal;

export function realtimeModelContract(fixture: RealtimeFixture): void {
  describe(`realtime model contract: ${fixture.name}`, () => {
    let rig: RealtimeRig;
    let log: RealtimeLog;
    let session: RealtimeSession;
    async function finished(count = 1): Promise<void> {
      await expect.poll(() => log.of("response-finished").length).toBeGreaterThanOrEqual(count);
    }

    beforeEach(async () => {
      rig = await fixture.create();
      log = new RealtimeLog();
    });
    afterEach(async () => {
      session.close();
      await rig.close();
    });

    it.each([24_000, 16_000, 8_000])("hears and answers at %i Hz, turn by turn", async (sampleRateHz) => {
      rig.hears("where is my order");
      rig.answers.push({ kind: "completion", text: "On its way" });
      session = await rig.model.open({ ...realtimeSettings, sampleRateHz }, log, neverAborted);
      say(session, 0, 1000, sampleRateHz);
      say(session, 400, 500, sampleRateHz);
      await finished();
      expect(log.of("speech-started")).toHaveLength(1);
      // 400 ms of speech, without the padding before it and the silence after it.
      expect(Math.abs((log.of("speech-started")[0]?.atMs ?? 0) - 1000)).toBeLessThan(50);
      expect(Math.abs((log.of("speech-stopped")[0]?.atMs ?? 0) - 1400)).toBeLessThan(50);
      expect(log.of("user-transcript").at(-1)).toMatchObject({ text: "where is my order", isFinal: true });
      expect(log.text()).toBe("On its way");
      expect(log.audioMs(sampleRateHz)).toBeCloseTo(3 * fixture.wordMs, -1);
      expect(log.events.filter(({ type }) => type === "unknown" || type === "error")).toEqual([]);
    });

    it("answers a turn that we end only when it is asked", async () => {
      rig.hears("where is my order");
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      say(session, 400, 0);
      session.commitAudio();
      await expect.poll(() => log.of("user-transcript").at(-1)?.isFinal).toBe(true);
      expect(log.of("response-started")).toEqual([]);
      session.respondIfFree();
      await finished();
      expect(log.of("response-started")).toHaveLength(1);
    });

    it("calls a tool and goes on with its result", async () => {
      const call = { id: "call_1", name: "find_order", argumentsJson: '{"number":7}' };
      rig.answers.push({ kind: "completion", toolCalls: [call] }, { kind: "completion", text: "Found it" });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.sendText("Where is order 7?");
      session.respond();
      await finished();
      expect(log.of("tool-call")).toMatchObject([{ call }]);
      session.sendToolResult("call_1", '{"status":"sent"}');
      session.respond();
      await finished(2);
      expect(log.text()).toBe("Found it");
      expect(rig.asked.at(-1)?.messages.at(-1)).toMatchObject({ role: "tool", content: '{"status":"sent"}' });
    });

    it("says exactly the words that it is given", async () => {
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.respond({ say: "Welcome to Harbor Bank." });
      await finished();
      expect(log.text()).toBe("Welcome to Harbor Bank.");
    });

    it("knows what was said before, and who speaks from now on", async () => {
      rig.answers.push({ kind: "completion", text: "Again" });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.remember([
        { role: "user", text: "Good morning" },
        { role: "assistant", text: "Good morning to you" },
      ]);
      session.update({
        ...realtimeSettings,
        instructions: "Be kind.",
        voice: { name: "en-US-AndrewMultilingualNeural" },
      });
      session.respond();
      await finished();
      expect(rig.asked.at(-1)?.messages).toMatchObject([
        { role: "system", content: "Be kind." },
        { role: "user", content: "Good morning" },
        { role: "assistant", content: "Good morning to you" },
      ]);
    });

    it("forgets what was not heard, and says nothing more of an answer that was called off", async () => {
      rig.answers.push({ kind: "completion", text: "One two three four" });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.respond();
      await finished();
      const itemId = log.of("audio")[0]?.itemId ?? "";
      session.truncate(itemId, 300, "One");
      await expect.poll(() => log.of("item-truncated")).toMatchObject([{ itemId, atMs: 300 }]);
      const before = log.of("audio").length;
      rig.answers.push({ kind: "completion", text: "Nobody hears this" });
      session.respond();
      session.cancelResponse();
      rig.answers.push({ kind: "completion", text: "But this" });
      session.respond();
      await expect.poll(() => log.text()).toMatch(/But this$/);
      expect(log.of("audio").length).toBeGreaterThan(before);
    });

    it("[RT-5] knows what was heard of its question when the caller has cut it off, and nothing else of it", async () => {
      rig.answers.push({ kind: "completion", text: "Debit or credit card ending in nine" });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.respond();
      await finished();
      session.truncate(log.of("audio")[0]?.itemId ?? "", 2 * fixture.wordMs + 20, "Debit or");
      session.sendText("The first one");
      session.respond();
      await finished(2);
      expect(rig.asked.at(-1)?.messages.slice(1)).toMatchObject([
        { role: "assistant", content: "Debit or" },
        { role: "user", content: "The first one" },
      ]);
    });

    it("forgets what the caller said or wrote since the answer before, and nothing else", async () => {
      const said = (): string => JSON.stringify(rig.asked.at(-1)?.messages);
      rig.hears("how do I pick a lock");
      for (const text of ["I cannot say", "Nor that", "All right"]) rig.answers.push({ kind: "completion", text });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.remember([{ role: "user", text: "Good morning" }]);
      say(session, 400, 500);
      await finished();
      expect(said()).toContain("how do I pick a lock");
      session.forgetCaller();
      session.sendText("And a safe?");
      session.respond();
      await finished(2);
      expect(said()).toContain("And a safe?");
      expect(said()).not.toContain("how do I pick a lock");
      session.forgetCaller();
      session.forgetCaller();
      session.respond();
      await finished(3);
      expect(said()).not.toContain("And a safe?");
      expect(said()).toContain("Good morning");
      expect(log.events.filter(({ type }) => type === "unknown" || type === "error")).toEqual([]);
    });

    it("tells nobody that there was nothing to forget", async () => {
      rig.answers.push({ kind: "completion", text: "Good morning" });
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      session.truncate("item_unknown", 0, "");
      session.respond();
      await finished();
      expect(log.of("error")).toEqual([]);
    });

    it("says that the service has ended the session", async () => {
      session = await rig.model.open(realtimeSettings, log, neverAborted);
      rig.hangUp();
      await expect.poll(() => log.ended).toMatchObject([{ code: "upstream_unavailable" }]);
    });
  });

  it(`realtime model contract: ${fixture.name} is not opened with a key that is refused`, async () => {
    const rig = await fixture.createRefused();
    try {
      await expect(rig.model.open(realtimeSettings, new RealtimeLog(), neverAborted)).rejects.toMatchObject({
        code: "upstream_unavailable",
        retryable: false,
      });
    } finally {
      await rig.close();
    }
  });
}
