/** Sessions that go on with a phone call which another host has lost, in both modes, on fakes and one virtual clock. */
import { atOnce } from "@voice/shared/platform/steps";
import { describeSession } from "@voice/shared/archive/describe-session";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { Channel, HistoryItem } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import { describe, expect, it } from "vitest";
import type { ToolRunner } from "../../pipeline/tool-round.ts";
import { testListener, testRetry, testTurnSettings } from "../../testing/cascade-parts.ts";
import { FakeRealtimeModel } from "../../testing/fake-realtime-model.ts";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import { FakeSynthesiser } from "../../testing/fake-synthesiser.ts";
import { FakeTransport } from "../../testing/fake-transport.ts";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import type { HostEffect } from "../conversation/host-effects.ts";
import type { ConversationSources, OpenedConversation } from "../conversation/open-conversation.ts";
import { PlayoutTicker } from "../playout/playout-ticker.ts";
import { startRealtimeSession } from "./realtime/realtime-session.ts";
import { unobserved } from "../../testing/unobserved.ts";
import { startVoiceSession } from "./cascade/cascade-session.ts";

const sessionId = "session-0123456789";
const call = { id: "call-1", name: "escalate_human", argumentsJson: "{}" };

function item(role: HistoryItem["role"], content: string, more: Partial<HistoryItem> = {}): HistoryItem {
  return { role, content, agent: "desk", turnId: "turn-2", timestampMs: 0, interrupted: false, ...more };
}

const greeting = item("assistant", "Hello from desk.", { turnId: "turn-1" });
const question = item("user", "a person please");
const called = item("assistant", "", { toolCalls: [call], preamble: "One moment." });
const result = item("tool", '{"success":true}', {
  toolCallId: call.id,
  toolName: call.name,
  effects: [{ type: "escalate", reason: "asked" }],
});

async function rig(channel: Channel = "phone") {
  const clock = new VirtualClock();
  const state: State = createMemoryState({ clock });
  const newest: ConversationSources["newest"] = new Map();
  const effects: HostEffect[] = [];
  const toolRuns: string[] = [];
  const tools: ToolRunner = {
    definitions: () => [],
    run: async (calls) => {
      toolRuns.push(...calls.map(({ name }) => name));
      return [];
    },
  };
  const parts = {
    tools,
    ticker: new PlayoutTicker(clock, silentLogger),
    clock,
    logger: silentLogger,
    publish: () => undefined,
    checkForChanges: async () => undefined,
    async onEffect(effect: HostEffect) {
      effects.push(effect);
      return { ok: true } as const;
    },
  };

  function open(hostId: string, streamingMode: "MEDIA" | "VOICE_LIVE"): Promise<OpenedConversation> {
    return openTestConversation(
      { clock, store: state.sessions, newest, hostId },
      { channel, streamingMode, sessionId },
    );
  }

  /** The first host has the call, stores this, and dies. */
  async function lose(streamingMode: "MEDIA" | "VOICE_LIVE", ...items: readonly HistoryItem[]): Promise<void> {
    const { conversation } = await open("host-1", streamingMode);
    await state.sessions.appendTurn(conversation.sessionId, { items, appendId: "all" });
  }

  /** The first host dies while a tool with a lasting effect runs. */
  async function beginCall(): Promise<void> {
    const record = await state.sessions.get(sessionId);
    if (typeof record === "string") throw new Error("the session is gone");
    const begunCalls = { turnId: "turn-2", agent: "desk", calls: [call] };
    await state.sessions.update(sessionId, record.version, { begunCalls });
  }

  async function takeOverCascade(...answers: readonly string[]) {
    const transport = new FakeTransport(clock, 16_000, channel);
    const model = new ScriptedModel(...answers);
    const opened = await open("host-2", "MEDIA");
    const session = startVoiceSession({
      ...unobserved,
      ...parts,
      ...opened,
      transport,
      createListener: testListener({ clock, recogniser: new FakeRecogniser(), inputRateHz: 16_000 }),
      reply: {
        model,
        synthesiser: new FakeSynthesiser(clock),
        tools,
        language: "en-US",
        wallNow: () => clock.wallNow(),
      },
      turnSettings: testTurnSettings,
    });
    await clock.advanceAsync(3000, 10);
    return { transport, model, session };
  }

  async function takeOverRealtime() {
    const transport = new FakeTransport(clock, 24_000, channel);
    const model = new FakeRealtimeModel();
    const opened = await open("host-2", "VOICE_LIVE");
    startRealtimeSession({
      ...unobserved,
      ...parts,
      ...opened,
      transport,
      model,
      turn: { silenceMs: 500, idleMs: 10_000, bargeInEnabled: true, deadAirMs: 10_000, fillerMs: 0, language: "en-US" },
      synthesiser: new FakeSynthesiser(clock),
      retry: testRetry,
      random: () => 0.5,
    });
    await clock.advanceAsync(10);
    return { transport, model };
  }

  return { clock, state, effects, toolRuns, open, lose, beginCall, takeOverCascade, takeOverRealtime };
}

describe("the cascade, taking over a call", () => {
  it("[TAKE-1] [TAKE-2a] answers the words that are unanswered, once in the history", async () => {
    const { lose, takeOverCascade, state } = await rig();
    await lose("MEDIA", greeting, question);
    const { transport, model } = await takeOverCascade("Ten dollars.");
    expect(model.requests[0]?.messages.slice(-2).map(({ content }) => content)).toEqual([
      greeting.content,
      question.content,
    ]);
    expect(transport.heard.map(({ text }) => text)).toEqual(["Ten dollars."]);
    const history = await state.sessions.history(sessionId);
    expect(history.map(({ content }) => content)).toEqual([greeting.content, question.content, "Ten dollars."]);
  });

  it("[TAKE-2b] [TAKE-5] says what was written before the tools, tells the model what they gave, and does what they asked", async () => {
    const { lose, takeOverCascade, effects, toolRuns } = await rig();
    await lose("MEDIA", greeting, question, called, result);
    const { transport, model } = await takeOverCascade("I am connecting you.");
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      "system",
      "assistant",
      "user",
      "assistant",
      "tool",
    ]);
    expect(transport.heard.map(({ text }) => text)).toEqual(["One moment. I am connecting you."]);
    expect(effects).toEqual([{ type: "escalate", reason: "asked", id: "call-1" }]);
    expect(toolRuns).toEqual([]);
  });

  it("[TAKE-5] does what the answer promised that was heard", async () => {
    const { lose, takeOverCascade, effects } = await rig();
    await lose("MEDIA", greeting, question, called, result, item("assistant", "I am connecting you."));
    const { transport } = await takeOverCascade();
    expect(transport.heard).toEqual([]);
    expect(effects).toMatchObject([{ type: "escalate", id: "call-1" }]);
  });

  it("[HS-1] [TAKE-1] says that the agent listens where it has spoken last, because those who watch saw it speak", async () => {
    const { lose, takeOverCascade } = await rig();
    await lose("MEDIA", greeting);
    const { transport } = await takeOverCascade();
    expect(transport.heard).toEqual([]);
    const told = transport.notices.filter(({ type }) => type === "session" || type === "event");
    expect(told).toMatchObject([
      { type: "session", payload: { resumed: true } },
      { type: "event", payload: { name: "state_change", state: "listening", agent: "desk" } },
    ]);
  });

  it("[TAKE-5] [END-3] ends a call to which goodbye was said", async () => {
    const { lose, takeOverCascade } = await rig();
    const hangUp = { ...result, effects: [{ type: "hang-up", reason: "done" } as const] };
    await lose("MEDIA", greeting, question, called, hangUp, item("assistant", "Goodbye."));
    const { session } = await takeOverCascade();
    expect(await session.ended).toBe("done");
  });

  it("[TAKE-4d] does not run a tool again of which nobody knows whether it ran", async () => {
    const { lose, beginCall, takeOverCascade, toolRuns } = await rig();
    await lose("MEDIA", greeting, question);
    await beginCall();
    const { model } = await takeOverCascade("I cannot tell.");
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      role: "tool",
      toolCallId: "call-1",
      content: expect.stringContaining("cannot tell"),
    });
    expect(toolRuns).toEqual([]);
  });

  it("[TAKE-4e] [HS-11a] tells the model of it as well where a client has resumed the conversation, and asks again", async () => {
    const { lose, beginCall, takeOverCascade, clock } = await rig("browser");
    await lose("MEDIA", greeting, question);
    await beginCall();
    const { model, session } = await takeOverCascade("I cannot tell.");
    expect(model.requests).toEqual([]); // it is greeted
    session.handle({ type: "whole-turn", text: "a person please" });
    await clock.advanceAsync(1000, 10);
    const told = model.requests[0]?.messages.map(({ role, content }) => `${role}: ${content}`).slice(1) ?? [];
    expect(told).toEqual([
      "assistant: Hello from desk.",
      "user: a person please",
      "assistant: ",
      expect.stringMatching(/^tool: .*outcome_unknown/),
      "assistant: Hello from desk.",
      "user: a person please",
    ]);
  });

  it.each(["browser", "phone"] as const)(
    "[EFFECT-18a] [EFFECT-18b] reads the result of a tool, once it comes, in place of the unknown one, over a %s's new socket",
    async (channel) => {
      const { open, beginCall, takeOverCascade, state, clock } = await rig(channel);
      const { conversation: old } = await open("host-1", "MEDIA");
      old.append([greeting, question]);
      await old.flush();
      await beginCall();
      old.end(); // its socket is gone, and the tool still runs
      await old.flush();
      const { model, session, transport } = await takeOverCascade("I cannot tell.", "It is booked.");
      const booked = { ...result, content: '{"success":true,"id":7}', effects: undefined };
      old.remember({ booking: 7 });
      old.append([called, booked]);
      expect(transport.notices.at(-1)).toMatchObject({
        type: "tool_call",
        payload: { name: call.name, status: "success", result: { success: true, id: 7 } },
      });
      expect(session.conversation.memory).toMatchObject({ booking: 7 });
      session.handle({ type: "whole-turn", text: "is it booked" });
      await clock.advanceAsync(1000, 10);
      const results = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
      expect(results).toMatchObject([{ toolCallId: "call-1", content: '{"success":true,"id":7}' }]);
      await session.conversation.flush();
      const record = await state.sessions.get(sessionId);
      if (typeof record === "string") throw new Error("the session is gone");
      const told = atOnce(describeSession(record, await state.sessions.history(sessionId)));
      expect(told.conversation_history.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
        '{"success":true,"id":7}',
      ]);
    },
  );

  it("[EFFECT-18c] reads a result that a former host has stored late", async () => {
    const { open, beginCall, takeOverCascade } = await rig();
    const { conversation: old } = await open("host-1", "MEDIA");
    old.append([greeting, question]);
    await old.flush();
    await beginCall();
    const first = await takeOverCascade("I cannot tell.");
    await first.session.close("draining");
    old.append([called, { ...result, effects: undefined }]);
    await old.flush();
    const { session } = await takeOverCascade();
    expect(session.conversation.knownHistory.filter(({ role }) => role === "tool")).toMatchObject([
      { toolCallId: "call-1", content: '{"success":true}' },
    ]);
  });

  it("[DRAIN-3] hands over what was heard before it lets go of the socket, and nothing is missing then", async () => {
    const { lose, takeOverCascade, state } = await rig();
    await lose("MEDIA", greeting, question);
    const first = await takeOverCascade("Ten dollars.");
    expect(first.session.status.isQuiet).toBe(true);
    await first.session.close("draining");
    expect(first.transport.closedWith).toBe("draining");
    expect(await state.sessions.get(sessionId)).toMatchObject({ status: "active" });
    const second = await takeOverCascade();
    expect(second.transport.heard).toEqual([]); // and no request to say it again
  });
});

describe("the realtime model, taking over a call", () => {
  it("[EFFECT-18b] is told the result of a tool that comes later", async () => {
    const { open, beginCall, takeOverRealtime } = await rig();
    const { conversation: old } = await open("host-1", "VOICE_LIVE");
    old.append([greeting, question]);
    await old.flush();
    await beginCall();
    const { model } = await takeOverRealtime();
    old.append([called, { ...result, effects: undefined }]);
    expect(model.remembered.at(-1)).toEqual({
      role: "user",
      text: '[The result of escalate_human, which was not known before, is: {"success":true}]',
    });
  });

  it("[TAKE-1] is told the history and greets nobody", async () => {
    const { lose, takeOverRealtime } = await rig();
    await lose("VOICE_LIVE", greeting);
    const { model, transport } = await takeOverRealtime();
    expect(model.remembered).toEqual([{ role: "assistant", text: greeting.content }]);
    expect(model.log).toEqual([]);
    expect(transport.notices.at(-1)).toMatchObject({ payload: { name: "state_change", state: "listening" } });
  });

  it("[TAKE-2b] [TAKE-5] answers what is unanswered with what the tools gave", async () => {
    const { lose, takeOverRealtime, effects, clock } = await rig();
    await lose("VOICE_LIVE", greeting, question, called, result);
    const { model } = await takeOverRealtime();
    expect(model.log).toHaveLength(1);
    expect(model.log[0]).toMatch(/^respond .*escalate_human: \{"success":true\}/s);
    expect(effects).toEqual([]); // EFFECT-2: the caller has not heard of it
    model.answer("a", "I am connecting you.", 300);
    await clock.advanceAsync(400, 10);
    expect(effects).toMatchObject([{ type: "escalate", id: "call-1" }]);
  });

  it("[HS-5] greets when nobody has been heard yet", async () => {
    const { lose, takeOverRealtime } = await rig();
    await lose("VOICE_LIVE");
    const { model } = await takeOverRealtime();
    expect(model.log).toEqual(["respond Hello from desk."]);
  });
});
