import { describe, expect, it } from "vitest";

import { ConversationRecording } from "./conversation-recording.ts";

const rateHz = 1000; // one sample is one millisecond
const tone = (length: number, value: number): Int16Array => new Int16Array(length).fill(value);
const left = (stereo: Int16Array): number[] => Array.from(stereo.filter((_, index) => index % 2 === 0));
const right = (stereo: Int16Array): number[] => Array.from(stereo.filter((_, index) => index % 2 === 1));

describe("the recording of a conversation", () => {
  it("places the agent where a player with 60 ms of buffer would have played it", () => {
    const recording = new ConversationRecording(rateHz, 5000);
    recording.addCaller(tone(200, 1));
    recording.addAgent(tone(20, 2), 5040);
    const agent = right(recording.stereo());
    expect(agent.indexOf(2)).toBe(100);
    expect(agent.lastIndexOf(2)).toBe(119);
    expect(left(recording.stereo())).toEqual([...tone(200, 1)]);
  });

  it("joins frames that come early, on time or a little late without a hole", () => {
    const recording = new ConversationRecording(rateHz, 0);
    for (const atMs of [0, 0, 35, 95, 100]) recording.addAgent(tone(20, 2), atMs);
    expect([...recording.agentOnly()]).toEqual([...tone(100, 2)]);
  });

  it("keeps the pause between two answers", () => {
    const recording = new ConversationRecording(rateHz, 0);
    recording.addAgent(tone(20, 2), 0);
    recording.addAgent(tone(20, 3), 500);
    expect([...recording.agentOnly()]).toEqual([...tone(20, 2), ...tone(480, 0), ...tone(20, 3)]);
  });

  it("forgets what an interruption takes back before it was played", () => {
    const recording = new ConversationRecording(rateHz, 0);
    recording.addAgent(tone(1000, 2), 0);
    recording.dropUnplayed(160);
    expect(recording.agentOnly().length).toBe(100);
    expect(recording.unplayedMs(160)).toBe(0);
    recording.addAgent(tone(20, 3), 200);
    expect([...recording.agentOnly()].slice(100)).toEqual([...tone(100, 0), ...tone(20, 3)]);
  });

  it("knows how much is still to be played", () => {
    const recording = new ConversationRecording(rateHz, 0);
    recording.addAgent(tone(300, 2), 0);
    expect([0, 100, 360, 1000].map((atMs) => recording.unplayedMs(atMs))).toEqual([360, 260, 0, 0]);
  });

  it("is as long as the longer side", () => {
    const recording = new ConversationRecording(rateHz, 0);
    recording.addCaller(tone(10, 1));
    recording.addAgent(tone(20, 2), 0);
    expect(recording.stereo().length).toBe(2 * 80);
    expect(left(recording.stereo()).slice(10)).toEqual([...tone(70, 0)]);
  });
});
