import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { BrowserEnd } from "../../testing/conversations-rig.ts";
import { FakeSocket } from "../../testing/fake-socket.ts";
import { messageRate } from "../message-limits.ts";
import { BrowserTransport } from "./browser-transport.ts";

const samples = Int16Array.of(1, 2, 3);

function rig() {
  const socket = new FakeSocket();
  const transport = new BrowserTransport(socket, new VirtualClock(), 16_000);
  const heard: number[][] = [];
  transport.setSession("session-1");
  transport.start({
    onAudio: (audio) => void heard.push([...audio]),
    onText: () => undefined,
    onDigits: () => undefined,
    onControl: () => undefined,
    onConfig: () => undefined,
    onTranscript: () => undefined,
    onLanguage: () => undefined,
    onCallerFinished: () => undefined,
    onClosed: () => undefined,
  });
  return { socket, transport, heard, browser: new BrowserEnd(socket) };
}

describe("a browser's socket", () => {
  it("[FR-3] says that audio has an odd number of bytes, in either form, and takes what comes after it", () => {
    const { socket, browser, heard } = rig();
    const odd = Uint8Array.of(1, 0, 2);
    socket.deliver(odd);
    browser.say({ type: "audio_data", data: Buffer.from(odd).toString("base64") });
    browser.say({ type: "audio_data", data: Buffer.from(samples.buffer).toString("base64") });
    expect(browser.of("error")).toMatchObject([
      { code: "validation_error", message: expect.stringContaining("an even number of bytes") },
      { code: "validation_error", message: expect.stringContaining("an even number of bytes") },
    ]);
    expect(heard).toEqual([[1, 2, 3]]);
  });

  it("[FR-4] is told that it sends too fast, and closed", () => {
    const { socket, browser } = rig();
    for (let sent = 0; sent <= messageRate.burst; sent += 1) browser.say({ type: "control", action: "start" });
    expect(browser.of("error")).toEqual([{ code: "rate_limited", message: "Too many messages a second." }]);
    expect(socket.closedWith).toBe(1008);
  });

  it("[FR-10] is answered its ping", () => {
    const { browser } = rig();
    browser.say({ type: "ping" });
    expect(browser.of("pong")).toEqual([{}]);
  });

  it("gets its audio as it has asked for it, also after a config that is about something else", () => {
    const { socket, transport, browser } = rig();
    transport.sendAudio(samples);
    browser.say({ type: "config", audio_output: "binary" });
    browser.say({ type: "config", language: "de-DE" });
    transport.sendAudio(samples);
    browser.say({ type: "config", audio_output: "base64" });
    transport.sendAudio(samples);
    const bytes = Buffer.from(samples.buffer);
    expect(socket.sent.map((data) => typeof data === "string")).toEqual([true, false, true]);
    expect(socket.binary).toEqual([Uint8Array.from(bytes)]);
    const message = { data: bytes.toString("base64"), sample_rate: 16_000 };
    expect(browser.of("audio")).toEqual([message, message]);
  });

  it("[BARGE-1] reads handoffs, tools and interruptions as events", () => {
    const { transport, browser } = rig();
    transport.notify({ type: "handoff", payload: { from: "desk", to: "fraud", type: "announced" } });
    transport.notify({ type: "tool_call", payload: { name: "look_up", args: {}, result: null, status: "started" } });
    transport.notify({ type: "event", payload: { name: "barge_in", turn_id: "turn-1", reason: "speech" } });
    expect(browser.of("event")).toMatchObject([
      { name: "handoff", from: "desk", to: "fraud" },
      { name: "tool_call", tool: "look_up", status: "started" },
      { name: "barge_in" },
    ]);
  });
});
