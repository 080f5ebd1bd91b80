import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import type { ToolRunner } from "../../pipeline/tool-round.ts";
import { testListener, testRetry, testTurnSettings } from "../../testing/cascade-parts.ts";
import { FakeRealtimeModel } from "../../testing/fake-realtime-model.ts";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { FakeTransport } from "../../testing/fake-transport.ts";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { toolSucceeded } from "../../testing/tool-succeeded.ts";
import type { CarryOutEffect } from "./call-effects.ts";
import { SessionWithFallback } from "./fallback-session.ts";
import type { EffectOutcome } from "../conversation/host-effects.ts";
import { PlayoutTicker } from "../playout/playout-ticker.ts";
import { noRecorder } from "../recording/session-recorder.ts";
import { unobserved } from "../../testing/unobserved.ts";
import { startRealtimeSession } from "./realtime/realtime-session.ts";
import { startVoiceSession } from "./cascade/cascade-session.ts";

const gone = (): VoiceError => new VoiceError("speech_quota_exceeded", "gone", { retryable: false });

/** Both sessions on fakes; `refused` realtime connections come first. */
async function rig(
  refused = 0,
  onEffect: CarryOutEffect = async () => ({ ok: true }),
  announcement?: string,
  toolMs = 0,
) {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  const transport = new FakeTransport(clock, 24_000);
  const realtime = new FakeRealtimeModel();
  for (let count = 0; count < refused; count++) realtime.refusals.push(gone());
  const recogniser = new FakeRecogniser();
  const model = new ScriptedModel("Ten dollars.");
  const toolCalls: string[] = [];
  const recorded: number[] = [];
  const tools: ToolRunner = {
    definitions: () => [],
    run: async (calls) => {
      toolCalls.push(...calls.map(({ name }) => name));
      if (toolMs > 0) await new Promise<void>((resolve) => void clock.setTimer(toolMs, resolve));
      return calls.map((call) => toolSucceeded(call, { memory: { account: "checking" } }));
    },
  };
  const { conversation, resumed } = await openTestConversation(
    { clock, store: state.sessions },
    { streamingMode: "VOICE_LIVE" },
  );
  const common = {
    transport,
    conversation,
    resumed,
    ...unobserved,
    recorder: { ...noRecorder, callerAudio: (samples: Int16Array) => void recorded.push(samples.length) },
    ticker: new PlayoutTicker(clock, silentLogger),
    clock,
    logger: silentLogger,
    publish: () => undefined,
    onEffect,
    announcement,
    checkForChanges: async () => undefined,
  };
  const session = new SessionWithFallback({
    start: (onLost) =>
      startRealtimeSession({
        ...common,
        model: realtime,
        tools,
        turn: {
          silenceMs: 500,
          idleMs: 10_000,
          bargeInEnabled: true,
          deadAirMs: 10_000,
          fillerMs: 0,
          language: "en-US",
        },
        synthesiser: new FakeSynthesiser(clock),
        retry: testRetry,
        random: () => 0.5,
        onLost,
      }),
    fallBack: (loss) =>
      startVoiceSession({
        ...common,
        realtimeLoss: loss,
        reply: {
          model,
          synthesiser: new FakeSynthesiser(clock),
          tools,
          language: "en-US",
          wallNow: () => clock.wallNow(),
        },
        turnSettings: testTurnSettings,
        createListener: testListener({ clock, recogniser, inputRateHz: 24_000 }),
      }),
  });
  await clock.advanceAsync(1);
  return { clock, state, transport, realtime, recogniser, model, session, conversation, toolCalls, recorded };
}

describe("a conversation whose realtime model is gone", () => {
  it("[FAIL-6b] begins with a word of patience and the greeting when the model was never there", async () => {
    const { transport, clock, session, state } = await rig(1);
    await clock.advanceAsync(3000, 20);
    expect(transport.heard).toEqual([
      { text: "One moment, please. Hello from desk.", interrupted: false, agent: "desk" },
    ]);
    expect(transport.notices.filter(({ type }) => type === "session")).toHaveLength(1);
    expect(transport.notices.find(({ type }) => type === "error")?.payload).toMatchObject({
      code: "speech_quota_exceeded",
    });
    expect(transport.events("fallback")).toMatchObject([{ payload: { reason: "speech_quota_exceeded" } }]);
    await session.close("finished");
    expect(await state.sessions.history(session.conversation.sessionId)).toHaveLength(1);
    await clock.advanceAsync(200, 50);
    expect(clock.pendingTimers).toBe(0);
  });

  it("[FAIL-6a] waits for a model that does not answer no longer than a caller would", async () => {
    const { transport, clock, realtime } = await rig();
    realtime.hangs = true;
    realtime.end(new VoiceError("upstream_unavailable", "gone"));
    await clock.advanceAsync(3_900, 20);
    expect(transport.events("fallback")).toEqual([]);
    await clock.advanceAsync(3_000, 20);
    expect(transport.heard.map(({ text }) => text)).toEqual(["One moment, please. Hello from desk."]);
  });

  it("[FAIL-6d] answers the words that were left unanswered, and runs no tool twice", async () => {
    const { transport, clock, realtime, model, toolCalls, conversation } = await rig();
    realtime.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    const call = { id: "call-1", name: "look_up", argumentsJson: "{}" };
    realtime.emit(
      { type: "speech-started", itemId: "u", atMs: 0 },
      { type: "speech-stopped", itemId: "u", atMs: 300 },
      { type: "user-transcript", itemId: "u", text: "my balance", isFinal: true },
      { type: "response-started", responseId: "r" },
      { type: "tool-call", responseId: "r", call },
      { type: "response-finished", responseId: "r", status: "completed" },
    );
    await clock.advanceAsync(10);
    realtime.end(gone());
    await clock.advanceAsync(3000, 20);
    expect(transport.heard.at(-1)).toMatchObject({ text: "One moment, please. Ten dollars." });
    expect(model.requests[0]?.messages.slice(1)).toEqual([
      { role: "assistant", content: "Hello from desk." },
      { role: "user", content: "my balance" },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", toolCallId: "call-1", name: "look_up", content: '{"success":true}' },
    ]);
    expect(toolCalls).toEqual(["look_up"]);
    expect(conversation.memory).toMatchObject({ account: "checking" });
  });

  it("[FAIL-6b] stores what was heard of a reply that broke off, and gives it anew", async () => {
    const { transport, clock, realtime } = await rig();
    realtime.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    realtime.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    realtime.emit(
      { type: "response-started", responseId: "r" },
      { type: "agent-text", responseId: "r", itemId: "b", delta: "one two three four" },
      { type: "audio", responseId: "r", itemId: "b", samples: new Int16Array(48_000).fill(1000) },
    );
    await clock.advanceAsync(1000, 10);
    realtime.end(gone());
    await clock.advanceAsync(3000, 20);
    expect(transport.heard.slice(1)).toEqual([
      { text: "one two", interrupted: true, agent: "desk" },
      { text: "One moment, please. Ten dollars.", interrupted: false, agent: "desk" },
    ]);
  });

  it("[FAIL-6d] [REC-2f] listens on in silence when nobody waits for a word, and hears the caller's open words again, which are recorded once", async () => {
    const { transport, clock, realtime, recogniser, session, recorded } = await rig();
    realtime.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    realtime.emit({ type: "speech-started", itemId: "u", atMs: 0 });
    for (let frame = 0; frame < 30; frame++) session.onAudio(new Int16Array(480).fill(frame));
    realtime.end(gone());
    await clock.advanceAsync(100, 10);
    session.onAudio(new Int16Array(480).fill(30));
    expect(recogniser.last.frames).toHaveLength(31);
    expect(recorded).toHaveLength(31);
    recogniser.last.final("my balance");
    await clock.advanceAsync(2000, 20);
    expect(transport.heard.map(({ text }) => text)).toEqual(["Hello from desk.", "Ten dollars."]);
  });

  it("[FAIL-6a] takes over from a model that is there and fails all the same", async () => {
    const { transport, clock, realtime } = await rig();
    realtime.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    realtime.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
    for (const responseId of ["1", "2"])
      realtime.emit(
        { type: "response-started", responseId },
        { type: "response-finished", responseId, status: "failed" },
      );
    await clock.advanceAsync(3000, 20);
    expect(realtime.log.filter((entry) => entry.includes("sorry"))).toHaveLength(1);
    expect(transport.heard.at(-1)?.text).toBe("One moment, please. Ten dollars.");
    expect(realtime.isClosed).toBe(true);
  });

  it.each(["while it rings", "before the successor has begun"])(
    "[FAIL-6e] [EFFECT-4] [EFFECT-11d] [EFFECT-11e] neither hears the music of a transfer nor forgets it, and says how it ended (%s)",
    async (when) => {
      const ended = Promise.withResolvers<EffectOutcome>();
      const { transport, clock, realtime, recogniser, session, model } = await rig(0, (_effect, onHold) => {
        onHold(true);
        return ended.promise.finally(() => onHold(false));
      });
      realtime.answer("a", "Hello from desk.", 300);
      await clock.advanceAsync(400, 10);
      session.handle({ type: "effect-requested", effect: { type: "transfer", target: "+1", reason: "wanted" } });
      await clock.advanceAsync(100, 10);
      realtime.end(gone());
      if (when === "while it rings") {
        await clock.advanceAsync(100, 10);
        for (let frame = 0; frame < 30; frame++) session.onAudio(new Int16Array(480).fill(frame));
        expect(recogniser.last.frames).toHaveLength(0);
        await clock.advanceAsync(30_000, 100);
        expect(transport.heard.map(({ text }) => text)).toEqual(["Hello from desk."]);
      }
      ended.resolve({ ok: false, reason: "nobody answered" });
      await clock.advanceAsync(5000, 20);
      expect(transport.heard.slice(1)).toMatchObject([{ text: expect.stringContaining("sorry"), interrupted: false }]);
      expect(model.requests).toEqual([]);
    },
  );

  it("[FAIL-6e] [OPS-3c] says the operator's line that it had not come to", async () => {
    const { transport, clock, realtime, session } = await rig();
    realtime.emit(
      { type: "response-started", responseId: "r" },
      { type: "agent-text", responseId: "r", itemId: "b", delta: "Hello from desk." },
      { type: "audio", responseId: "r", itemId: "b", samples: new Int16Array(48_000).fill(1000) },
    );
    await clock.advanceAsync(100, 10);
    session.handle({ type: "line-given", text: "Your card is unblocked." });
    realtime.end(gone());
    await clock.advanceAsync(6000, 20);
    expect(transport.heard.at(-1)?.text).toBe("Your card is unblocked.");
  });

  it.each([
    [{ type: "line-given", text: "Your card is unblocked." }, "Your card is unblocked.", undefined],
    [{ type: "last-words", text: "We close now.", reason: "operator" }, "We close now.", "operator"],
    [{ type: "farewell-requested", reason: "draining" }, expect.stringMatching(/bye/i), "draining"],
  ] as const)(
    "[FAIL-6e] [OPS-3c] does what it is told while a tool still runs for the one that is gone (%j)",
    async (event, lastWords, reason) => {
      const { transport, clock, realtime, session, toolCalls } = await rig(0, undefined, undefined, 3000);
      let end: string | undefined;
      void session.ended.then((told) => (end = told));
      realtime.answer("a", "Hello from desk.", 300);
      await clock.advanceAsync(400, 10);
      realtime.emit({ type: "user-transcript", itemId: "u", text: "my balance", isFinal: true });
      realtime.callTool("look_up");
      await clock.advanceAsync(100, 10);
      realtime.end(gone());
      await clock.advanceAsync(1000, 20);
      session.handle(event);
      await clock.advanceAsync(9000, 20);
      expect(toolCalls).toEqual(["look_up"]);
      expect(transport.heard.at(-1)).toMatchObject({ text: lastWords });
      expect(end).toBe(reason);
    },
  );

  it("[FAIL-6e] [VM-2] goes on being deaf to an answering machine", async () => {
    const { transport, clock, realtime, recogniser, session, model } = await rig();
    realtime.answer("a", "Hello from desk.", 300);
    await clock.advanceAsync(400, 10);
    session.handle({ type: "voicemail-answered" });
    realtime.end(gone());
    await clock.advanceAsync(100, 10);
    recogniser.last.final("please leave a message");
    await clock.advanceAsync(5000, 20);
    expect(model.requests).toEqual([]);
    session.handle({ type: "last-words", text: "Please call back.", reason: "message_left" });
    await clock.advanceAsync(3000, 20);
    expect(transport.heard.at(-1)?.text).toBe("Please call back.");
  });

  it("[FAIL-6b] [REC-3b] [TURN-11] answers what was typed during the announcement", async () => {
    const { transport, clock, realtime, session } = await rig(0, undefined, "This call is recorded.");
    session.handle({ type: "whole-turn", text: "my balance" });
    await clock.advanceAsync(1);
    realtime.end(gone());
    await clock.advanceAsync(8000, 20);
    expect(transport.heard.map(({ text }) => text).filter((text) => text !== "")).toEqual(["Ten dollars."]);
  });
});
