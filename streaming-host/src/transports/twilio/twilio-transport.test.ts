import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { FakeSocket } from "../../testing/fake-socket.ts";
import { parseStreamMessage } from "./stream-messages.ts";
import { TwilioTransport, TwilioStream } from "./twilio-transport.ts";

const start = {
  event: "start",
  sequenceNumber: "1",
  start: {
    accountSid: "AC1",
    streamSid: "MZ1",
    callSid: "CA1",
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: {},
  },
  streamSid: "MZ1",
};
const silence = Buffer.alloc(160, 0xff).toString("base64");
const media = { event: "media", sequenceNumber: "2", media: { track: "inbound", chunk: "1", payload: silence } };

async function rig() {
  const clock = new VirtualClock();
  const socket = new FakeSocket();
  const stream = new TwilioStream(socket, clock);
  socket.deliver(JSON.stringify({ event: "connected", protocol: "Call", version: "1.0.0" }));
  socket.deliver(JSON.stringify(start));
  const opened = await stream.opening;
  if (opened === undefined) throw new Error("the stream was not opened");
  const transport = new TwilioTransport({ stream, start: opened, clock, sampleRateHz: 16_000, bufferMs: 200 });
  const heard: unknown[] = [];
  const listen = (): void =>
    transport.start({
      onAudio: (samples) => heard.push(samples.length),
      onText: () => undefined,
      onDigits: (digits) => heard.push(digits),
      onControl: () => undefined,
      onConfig: () => undefined,
      onTranscript: () => undefined,
      onLanguage: () => undefined,
      onCallerFinished: () => undefined,
      onClosed: (reason) => heard.push(reason),
    });
  return { clock, socket, stream, transport, heard, listen };
}

describe("a stream of Twilio's", () => {
  it("[TWILIO-1a] brings audio and keys, also those that came before the conversation", async () => {
    const { socket, heard, listen } = await rig();
    socket.deliver(JSON.stringify(media));
    listen();
    socket.deliver(JSON.stringify({ event: "dtmf", dtmf: { track: "inbound_track", digit: "5" }, streamSid: "MZ1" }));
    expect(heard).toEqual([320, "5"]);
  });

  it("[TWILIO-6b] gets audio with marks, and is told to drop what it has not played", async () => {
    const { socket, transport, listen, clock } = await rig();
    listen();
    for (let frame = 0; frame < 10; frame++) transport.sendAudio(new Int16Array(320));
    const sent = textsOf(socket).map((text): unknown => JSON.parse(text));
    expect(sent[0]).toEqual({ event: "media", streamSid: "MZ1", media: { payload: silence } });
    expect(sent.at(-1)).toEqual({ event: "mark", streamSid: "MZ1", mark: { name: "m1" } });
    clock.advance(300);
    socket.deliver(JSON.stringify({ event: "mark", streamSid: "MZ1", mark: { name: "m1" } }));
    expect(transport.bufferMs).toBe(100);
    transport.stopAudio();
    expect(JSON.parse(textsOf(socket).at(-1) ?? "")).toEqual({ event: "clear", streamSid: "MZ1" });
  });

  it("[TWILIO-4] that does not say in time what it is of is closed", async () => {
    const clock = new VirtualClock();
    const socket = new FakeSocket();
    const stream = new TwilioStream(socket, clock);
    socket.deliver(JSON.stringify({ event: "connected" }));
    clock.advance(10_000);
    expect(await stream.opening).toBeUndefined();
    expect(socket.closedWith).toBe(4408);
  });
});

describe("a message of Twilio's", () => {
  it.each([
    ["other", '{"event":"connected","protocol":"Call"}'],
    ["other", '{"event":"something-new","a":1}'],
    ["invalid", "null"],
    ["invalid", "no json"],
    ["invalid", '{"event":"dtmf","dtmf":{"digit":"12"}}'],
    ["invalid", '{"event":"start","start":{"streamSid":"MZ1"}}'],
    ["stop", '{"event":"stop","stop":{"callSid":"CA1"}}'],
    ["media", '{"event":"media","media":{"payload":"a\\/b="}}'],
    ["media", '{ "event": "media", "media": { "payload": "ab" } }'],
  ])("is %s: %s", (kind, text) => {
    expect(parseStreamMessage(text).kind).toBe(kind);
  });

  it("has its audio read in its usual form and in any other", () => {
    expect(parseStreamMessage('{"event":"media","media":{"payload":"a\\/b="}}')).toEqual({
      kind: "media",
      payload: "a/b=",
    });
    expect(parseStreamMessage('{"event":"media","media":{"track":"inbound","payload":"ab"}}')).toEqual({
      kind: "media",
      payload: "ab",
    });
  });
});

function textsOf({ sent }: FakeSocket): string[] {
  return sent.filter((data) => typeof data === "string");
}
