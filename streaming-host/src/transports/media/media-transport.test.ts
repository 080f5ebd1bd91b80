import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FakeSocket } from "../../testing/fake-socket.ts";
import { messageRate } from "../message-limits.ts";
import { MediaTransport } from "./media-transport.ts";
import type { MediaTransportOptions } from "./media-transport.ts";

const frame = z.object({ AudioData: z.object({ Data: z.base64() }) });
const error = z.object({ type: z.literal("error"), payload: z.object({ code: z.string(), message: z.string() }) });
/** 20 ms at 16 kHz. */
const samples = Int16Array.from({ length: 320 }, (_, at) => at + 1);

function rig(changes: Partial<MediaTransportOptions> = {}) {
  const socket = new FakeSocket();
  const heard: number[][] = [];
  const told: string[] = [];
  let frames = 0;
  const transport = new MediaTransport({
    socket,
    clock: new VirtualClock(),
    peer: "client",
    channel: "media",
    sampleRateHz: 16_000,
    format: { sampleRateHz: 16_000, channels: 1, audioFormat: "pcm_16" },
    onFrame: () => void frames++,
    ...changes,
  });
  transport.setSession("session-1");
  transport.start({
    onAudio: (audio) => void heard.push([...audio]),
    onText: (text) => void told.push(`text ${text}`),
    onDigits: (digits) => void told.push(`digits ${digits}`),
    onControl: (action) => void told.push(action),
    onConfig: () => void told.push("config"),
    onTranscript: ({ text, isFinal }) => void told.push(`transcript ${text} ${isFinal}`),
    onLanguage: () => undefined,
    onCallerFinished: () => void told.push("finished"),
    onClosed: (reason) => void told.push(reason),
  });
  const texts = (): unknown[] =>
    socket.sent.flatMap((data): unknown[] => (typeof data === "string" ? [JSON.parse(data)] : []));
  return {
    transport,
    socket,
    heard,
    told,
    frames: () => frames,
    say: (message: object): void => socket.deliver(JSON.stringify(message)),
    errors: () => texts().flatMap((text) => error.safeParse(text).data?.payload ?? []),
    audio: () => texts().flatMap((text) => frame.safeParse(text).data?.AudioData.Data ?? []),
  };
}

function audioData(data: string, more: object = {}): object {
  return { kind: "AudioData", audioData: { data, silent: false, ...more } };
}

function base64(bytes: Int16Array | Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

describe("a media stream", () => {
  it("[FR-4] tells a client that it sends too fast, and the communication service nothing, and closes either", () => {
    const [client, service] = [rig(), rig({ peer: "service", channel: "phone" })];
    for (let sent = 0; sent <= messageRate.burst; sent += 1) {
      client.say(audioData("", { silent: true }));
      service.say(audioData(""));
    }
    expect(client.errors()).toEqual([{ code: "rate_limited", message: "Too many messages a second." }]);
    expect(service.socket.sent).toEqual([]);
    expect([client.socket.closedWith, service.socket.closedWith]).toEqual([1008, 1008]);
  });

  it("[MEDIA-10] counts every frame of the service as a sign that the stream flows, and no message of a client's own", () => {
    const { say, frames } = rig();
    say(audioData(base64(samples)));
    say({ kind: "AudioMetadata", audioMetadata: { sampleRate: 16_000, channels: 1, encoding: "PCM" } });
    say({ kind: "TranscriptionMetadata" });
    expect(frames()).toBe(3);
    say({ type: "text", text: "hello" });
    expect(frames()).toBe(3);
  });

  it("[FR-2] takes a silent frame without samples for 20 ms, at the rate of the session", () => {
    const { say, heard } = rig({ sampleRateHz: 24_000 });
    say(audioData("", { silent: true }));
    expect(heard).toEqual([Array.from({ length: 480 }, () => 0)]);
  });

  it("[FR-3] drops half a sample that the service cut off, and tells a client of it", () => {
    const cut = base64(new Uint8Array([1, 0, 2, 0, 3]));
    const [service, client] = [rig({ peer: "service" }), rig()];
    for (const { say } of [service, client]) {
      say(audioData(cut));
      say(audioData(base64(samples)));
    }
    expect(service.heard).toEqual([[1, 2], [...samples]]);
    expect(client.heard).toEqual([[...samples]]);
    expect(client.errors()).toMatchObject([{ code: "validation_error" }]);
  });

  it("hears the service though it breaks its base64 into lines, and tells a client that this is none", () => {
    const text = base64(samples);
    const lines = `${text.slice(0, 100)}${"\n".repeat(8)}${text.slice(100)}`;
    const [service, client] = [rig({ peer: "service" }), rig()];
    for (const { say } of [service, client]) say(audioData(lines));
    expect(service.heard).toEqual([[...samples]]);
    expect(client.heard).toEqual([]);
    expect(client.errors()).toEqual([
      { code: "validation_error", message: "Invalid AudioData: audioData.data: must be base64." },
    ]);
  });

  it.each([
    ["without data", { kind: "AudioData", audioData: { silent: false } }, "is missing"],
    ["without anything", { kind: "AudioData" }, "is missing"],
    ["with empty data", audioData(""), "is missing"],
    ["with words", audioData("not base64"), "must be base64"],
    ["with one character too many", audioData("AAAAA"), "must be base64"],
    ["with one character that is none", audioData("AAAAAAA!"), "must be base64"],
    ["that is silent, with words", audioData("not base64", { silent: true }), "must be base64"],
    ["that is silent, with half a sample", audioData("AAAA", { silent: true }), "16-bit samples"],
  ])("[MEDIA-20] is told of audio %s, of which nothing is heard", (_what, message, problem) => {
    const [client, negotiated] = [rig(), rig({ isNegotiated: true })];
    const service = rig({ peer: "service" });
    for (const { say } of [client, negotiated, service]) say(message);
    expect(client.errors()).toEqual([{ code: "validation_error", message: expect.stringContaining(problem) }]);
    expect(client.heard).toEqual([]);
    if (problem !== "16-bit samples") expect(negotiated.errors()).toEqual(client.errors());
    expect(service.socket.sent).toEqual([]);
  });

  it("[MEDIA-21] is told that what it has recognised is not needed, and the service is not", () => {
    const [client, service] = [rig({ listensItself: true }), rig({ listensItself: true, peer: "service" })];
    for (const { say } of [client, service])
      say({ kind: "TranscriptionData", transcriptionData: { text: "hello", resultStatus: "Final" } });
    expect(client.errors()).toEqual([{ code: "validation_error", message: expect.stringContaining("TRANSCRIPTION") }]);
    expect(service.socket.sent).toEqual([]);
    expect([...client.told, ...service.told]).toEqual([]);
  });

  it("[FR-3] completes a sample that a message splits, where the format was agreed on", () => {
    const { socket, heard, errors } = rig({ isNegotiated: true });
    socket.deliver(new Uint8Array([1, 0, 2]));
    socket.deliver(new Uint8Array([0, 3, 0]));
    expect(heard.flat()).toEqual([1, 2, 3]);
    expect(errors()).toEqual([]);
  });

  it.each(["PCM", "pcm16", "PCM_16", "pcm_s16le", undefined])("[FR-1] knows %s as PCM with 16 bits", (encoding) => {
    const { say, heard, errors } = rig();
    say({ kind: "AudioMetadata", audioMetadata: { sampleRate: 16_000, encoding } });
    say(audioData(base64(samples)));
    expect(heard).toEqual([[...samples]]);
    expect(errors()).toEqual([]);
  });

  it.each([
    { sampleRate: 16_000, encoding: "mulaw" },
    { sampleRate: 11_025 },
    { sampleRate: 16_000, channels: 3 },
    { sampleRate: 16_000, channels: 0 },
  ])("refuses audio of the form %o, and goes on in the one before", (audioMetadata) => {
    const { say, heard, errors } = rig();
    say({ kind: "AudioMetadata", audioMetadata });
    say(audioData(base64(samples)));
    expect(errors()).toMatchObject([{ code: "audio_format_unsupported" }]);
    expect(heard).toEqual([[...samples]]);
  });

  it("refuses binary output, which is for browsers, and applies the rest of the config", () => {
    const { say, told, errors } = rig();
    say({ type: "config", audio_output: "binary" });
    say({ type: "config", audio_output: "base64" });
    expect(errors()).toMatchObject([{ code: "validation_error", message: expect.stringContaining("audio_output") }]);
    expect(told).toEqual(["config", "config"]);
  });

  it("sends chunks of the agreed size, fills up the last one, and forgets what was to come when it is interrupted", () => {
    const { transport, audio } = rig({ chunkBytes: 1000 });
    transport.sendAudio(samples);
    expect(audio()).toEqual([]);
    transport.sendAudio(samples);
    transport.endAudio?.();
    const [first = "", last = ""] = audio();
    const sent = Buffer.concat([first, last].map((text) => Buffer.from(text, "base64")));
    expect(sent.byteLength).toBe(2000);
    expect(sent.toString("base64")).toBe(
      Buffer.concat([Buffer.from(samples.buffer), Buffer.from(samples.buffer), Buffer.alloc(720)]).toString("base64"),
    );
    transport.sendAudio(samples);
    transport.stopAudio();
    transport.endAudio?.();
    expect(audio()).toHaveLength(2);
  });

  it("passes on what is no audio: keys, words, the caller's end of turn and the end of the socket", () => {
    const { say, told, socket } = rig();
    say({ kind: "DtmfData", dtmfData: { data: "pound" } });
    say({ kind: "TranscriptionData", transcriptionData: { text: "hello", resultStatus: "Final" } });
    say({ kind: "StopAudio" });
    say({ type: "audio_data", data: base64(samples) });
    socket.onClose?.("closed with 1006");
    expect(told).toEqual(["digits #", "transcript hello true", "finished", "closed with 1006"]);
  });
});
