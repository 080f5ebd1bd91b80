import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { expect, it } from "vitest";
import { fakeCatalog } from "../../../testing/fake-catalog.ts";
import { openTestConversation } from "../../../testing/open-test-conversation.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { realtimeHistory, realtimeSettings } from "./realtime-settings.ts";

const tools = { definitions: () => [], run: async () => [] };
const turn = {
  silenceMs: 500,
  idleMs: 10_000,
  deadAirMs: 10_000,
  fillerMs: 0,
  bargeInEnabled: true,
  language: "en-US",
};

async function converse(): Promise<Conversation> {
  const clock = new VirtualClock();
  const catalog = fakeCatalog();
  const { conversation } = await openTestConversation(
    {
      clock,
      store: createMemoryState({ clock }).sessions,
      compileCatalog: async () => ({ ...catalog, renderPrompt: (_agent, { today }) => `Today is ${today}.` }),
    },
    { streamingMode: "VOICE_LIVE" },
  );
  return conversation;
}

function item(role: HistoryItem["role"], content: string, more: Partial<HistoryItem> = {}): HistoryItem {
  return { role, content, agent: "desk", turnId: "turn-1", timestampMs: 0, interrupted: false, ...more };
}

it.each([
  [undefined, { noiseSuppression: true, hearsRoom: false }],
  ["far", { noiseSuppression: true, hearsRoom: true }],
  ["off", { noiseSuppression: false, hearsRoom: false }],
] as const)("[SPEECH-26] has the noise taken away as the setting says: %s", async (noiseReduction, expected) => {
  expect(realtimeSettings(await converse(), tools, 24_000, { ...turn, noiseReduction }, 0)).toMatchObject(expected);
});

it("tells the model which day it is", async () => {
  const at = Date.UTC(2026, 10, 21, 12);
  expect(realtimeSettings(await converse(), tools, 24_000, turn, at).instructions).toBe("Today is 2026-11-21.");
});

it("[TURN-14a] tells the transcription the caller's name, once it is known", async () => {
  const conversation = await converse();
  expect(realtimeSettings(conversation, tools, 24_000, turn, 0, () => undefined).phrases).not.toContain("Alex Morgan");
  expect(realtimeSettings(conversation, tools, 24_000, turn, 0, () => "Alex Morgan").phrases).toContain("Alex Morgan");
});

it("[HIST-3] tells a model that takes over what was said and which tools ran, but no result without its call", async () => {
  const conversation = await converse();
  const call = { id: "call-2", name: "look_up", argumentsJson: "{}" };
  conversation.append([
    item("user", "my balance"),
    item("assistant", "", { toolCalls: [call] }),
    item("tool", "10", { toolCallId: "call-2", toolName: "look_up" }),
    item("tool", "old", { toolCallId: "call-1", toolName: "look_up" }),
    item("assistant", "Ten dollars."),
  ]);
  expect(realtimeHistory(conversation)).toEqual([
    { role: "user", text: "my balance" },
    { role: "tool-call", call },
    { role: "tool-result", callId: "call-2", resultJson: "10" },
    { role: "assistant", text: "Ten dollars." },
  ]);
});

it("[FAIL-4e] tells the next connection what the caller said before the tools that ran for it, although it was written down later", async () => {
  const conversation = await converse();
  const call = { id: "call-1", name: "look_up", argumentsJson: "{}" };
  conversation.append([item("user", "hello", { turnId: "turn-0" })]);
  const begunAtMs = conversation.places.next(2);
  conversation.beginTurn(1, 3);
  conversation.append([
    item("assistant", "", { toolCalls: [call] }),
    item("tool", "10", { toolCallId: "call-1", toolName: "look_up" }),
  ]);
  conversation.append([item("user", "my balance", { begunAtMs })]);
  expect(realtimeHistory(conversation).map(({ role }) => role)).toEqual(["user", "user", "tool-call", "tool-result"]);
});
