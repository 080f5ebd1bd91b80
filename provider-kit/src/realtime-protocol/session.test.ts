import { isPlainObject } from "@voice/shared/platform/plain-object";
import { Duplex } from "node:stream";
import { silentLogger } from "@voice/shared/platform/logger";
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { RealtimeLog } from "../contracts/realtime-log.ts";
import { realtimeSettings } from "../contracts/realtime-model.contract.ts";
import { parseServerEvent } from "./server-events.ts";
import type { WireObject } from "./wire-object.ts";
import { LearntSettings } from "./session-settings.ts";
import type { SettingsTerms } from "./session-settings.ts";
import { ProtocolSession } from "./session.ts";
import { readPadding } from "./turn-times.ts";

const names = { betaName: (name: string) => name };

/** It is connected to nothing. */
class DeafSocket extends WebSocket {
  readonly sent: string[] = [];

  constructor() {
    super("ws://localhost", {
      createConnection: () => new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() }),
    });
  }

  override send(text: string): void {
    this.sent.push(text);
  }

  /** There is no connection to break. */
  override terminate(): void {
    this.emit("close", 1006, Buffer.alloc(0));
  }
}

function rig(
  settings: WireObject = {},
  instead: SettingsTerms["instead"] = () => undefined,
  logger: Logger = silentLogger,
) {
  const log = new RealtimeLog();
  const clock = new VirtualClock();
  const socket = new DeafSocket();
  const session = new ProtocolSession(socket, {
    listener: log,
    settings: realtimeSettings,
    dialect: {
      parse: (text) => parseServerEvent(text, names),
      toSession: () => settings,
      learnt: new LearntSettings({ essential: [], instead }),
      parts: { voice: "voice", transcription: "transcription", turnDetection: "turn_detection" },
      turnTimes: (requested, inForce) => readPadding({ ...requested, ...inForce }, () => undefined),
      serves: () => true,
      hearsItself: () => true,
      toResponse: (options) => ({ ...options }),
      respondOtherwise: () => undefined,
      assistantContent: "text",
    },
    clock,
    logger,
  });
  const receive = (type: string, fields: object): void =>
    session.receive(parseServerEvent(JSON.stringify({ type, ...fields }), names));
  /** Sends the settings and has the service accept them as these. */
  const accept = (inForce: object): void => {
    session.sendSettings();
    receive("session.updated", { session: inForce });
  };
  return { log, clock, session, socket, receive, accept };
}

describe("a session with a realtime service", () => {
  it("logs what the service warns of once, by the names in it, and goes on", () => {
    const warned: LogFields[] = [];
    const { log, receive } = rig({}, undefined, { ...silentLogger, warn: (fields) => void warned.push(fields) });
    const warning = { code: "unsupported_style", param: "session.voice.style", message: "Ms Miller asked for chat." };
    for (let times = 0; times < 2; times++) receive("warning", { warning });
    receive("warning", { warning: { code: "Ms Miller", message: "Ms Miller" } });
    receive("warning", {});
    expect(warned).toEqual([
      { code: "unsupported_style", param: "session.voice.style" },
      { code: "unknown", param: undefined },
    ]);
    expect(log.events).toEqual([]);
    expect(log.ended).toEqual([]);
  });

  it("reports the caller's words of an item once, also where the service repeats them", () => {
    const { log, receive } = rig();
    const name = "conversation.item.input_audio_transcription";
    const usage = { type: "duration", seconds: 1 };
    for (let times = 0; times < 2; times++) receive(`${name}.completed`, { item_id: "a", transcript: "Hello.", usage });
    receive(`${name}.delta`, { item_id: "a", delta: "Hel" });
    receive(`${name}.failed`, { item_id: "a", error: { code: null, message: "Hello, Ms Miller" } });
    for (let times = 0; times < 2; times++)
      receive(`${name}.failed`, { item_id: "c", error: { code: "no_such_model" } });
    receive(`${name}.completed`, { item_id: "b", transcript: "Hello." });
    expect(log.of("user-transcript").map(({ itemId, text }) => `${itemId} ${text}`)).toEqual(["a Hello.", "b Hello."]);
    expect(log.of("used")).toHaveLength(1);
    expect(log.of("user-transcript-failed")).toMatchObject([
      { itemId: "c", error: { reason: "the realtime model's transcription failed (no_such_model)" } },
    ]);
  });

  it("[FAIL-4d] ends as one that may be opened again when it has lasted as long as one may, and reports no refusal", () => {
    const { log, receive } = rig();
    receive("error", { error: { type: "invalid_request_error", code: "session_expired", message: "30 minutes" } });
    expect(log.of("error")).toEqual([]);
    expect(log.ended).toMatchObject([{ code: "upstream_unavailable", retryable: true }]);
  });

  it("loses no half of a sample where the service sends its audio in odd numbers of bytes", () => {
    const { log, receive } = rig();
    const bytes = Buffer.from(Int16Array.from({ length: 6 }, (_, index) => 1000 * index - 2500).buffer);
    receive("response.created", { response: { id: "r" } });
    for (const [from, until] of [
      [0, 3],
      [3, 4],
      [4, 6],
      [6, 7],
      [7, 11],
      [11, 12],
    ]) {
      const delta = bytes.subarray(from, until).toString("base64");
      receive("response.audio.delta", { response_id: "r", item_id: "i", delta });
    }
    expect(log.of("audio").flatMap(({ samples }) => [...samples])).toEqual([-2500, -1500, -500, 500, 1500, 2500]);
  });

  it("adds no half of a sample to another item's audio, and takes none for an answer", () => {
    const { log, receive } = rig();
    receive("response.created", { response: { id: "r" } });
    const hear = (itemId: string, ...bytes: readonly number[]): void => {
      const delta = Buffer.from(bytes).toString("base64");
      receive("response.audio.delta", { response_id: "r", item_id: itemId, delta });
    };
    hear("a", 1);
    hear("a");
    hear("b", 2, 0);
    expect(log.of("audio").map(({ itemId, samples }) => [itemId, ...samples])).toEqual([["b", 2]]);
  });

  const audio = (responseId: string) => ({ response_id: responseId, item_id: `item of ${responseId}`, delta: "AQA=" });
  const told = (log: RealtimeLog): readonly string[] =>
    log.events.map((event) => `${event.type} ${"responseId" in event ? event.responseId : ""}`.trim());

  it("[FAIL-1] begins a response with its first words where the service announces it late or not at all", () => {
    const { log, receive } = rig();
    receive("response.audio.delta", audio("late"));
    receive("response.created", { response: { id: "late" } });
    receive("response.audio.delta", audio("late"));
    receive("response.done", { response: { id: "late", status: "completed" } });
    receive("response.done", { response: { id: "empty", status: "failed" } });
    expect(told(log)).toEqual([
      "response-started late",
      "audio late",
      "audio late",
      "response-finished late",
      "response-started empty",
      "response-finished empty",
    ]);
  });

  it("reports the beginning and the end of a response once, also where the service repeats them", () => {
    const { log, receive, session, socket } = rig();
    for (const _ of [1, 2]) receive("response.created", { response: { id: "a" } });
    for (const _ of [1, 2]) receive("response.done", { response: { id: "a", status: "completed" } });
    receive("response.created", { response: { id: "a" } });
    session.respond();
    expect(told(log)).toEqual(["response-started a", "response-finished a"]);
    expect(socket.sent).toHaveLength(1);
  });

  it("ends a response when another begins, so that their words are not mixed", () => {
    const { log, receive, socket } = rig();
    receive("response.created", { response: { id: "a" } });
    receive("response.audio.delta", audio("a"));
    receive("response.created", { response: { id: "b" } });
    receive("response.audio.delta", audio("a"));
    receive("response.audio.delta", audio("b"));
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    receive("response.done", { response: { id: "a", status: "completed", usage } });
    receive("response.audio.delta", audio("b"));
    receive("response.done", { response: { id: "b", status: "completed" } });
    expect(told(log)).toEqual([
      "response-started a",
      "audio a",
      "response-finished a",
      "response-started b",
      "audio b",
      "used",
      "audio b",
      "response-finished b",
    ]);
    expect(socket.sent).toEqual([JSON.stringify({ type: "response.cancel", response_id: "a" })]);
  });

  it("[RT-3] reports where words begin and end by the turn detection that the service says is in force", () => {
    const { log, receive, accept } = rig();
    const speak = (start: number, end: number): void => {
      receive("input_audio_buffer.speech_started", { item_id: "i", audio_start_ms: start });
      receive("input_audio_buffer.speech_stopped", { item_id: "i", audio_end_ms: end });
    };
    accept({ turn_detection: { type: "server_vad", prefix_padding_ms: 420, silence_duration_ms: 500 } });
    speak(1000, 3000);
    accept({ audio: { input: { turn_detection: { type: "semantic_vad" } } } });
    speak(0, 3000);
    expect(log.of("speech-started").map(({ atMs }) => atMs)).toEqual([1420, 0]);
    expect(log.of("speech-stopped")).toMatchObject([{ atMs: 2500 }, { atMs: 3000, isLate: true }]);
    expect(log.of("speech-stopped")[0]).not.toHaveProperty("isLate");
  });

  it("[RT-45] removes an item of which nothing was heard, also where the model goes on from its audio", () => {
    const { session, socket } = rig();
    session.truncate("a", 0.4, "");
    session.truncate("b", 120.7, "Yes");
    expect(socket.sent.map((text): unknown => JSON.parse(text))).toEqual([
      { type: "conversation.item.delete", event_id: "forget", item_id: "a" },
      { type: "conversation.item.truncate", event_id: "forget", item_id: "b", content_index: 0, audio_end_ms: 120 },
    ]);
  });

  it("[RT-43] holds a failed transcription against the model that heard the words, once", () => {
    const models = ["first", "second", "third"];
    const { log, socket, receive, accept } = rig({ transcription: { model: "first" } }, (_part, value) => {
      const next = isPlainObject(value) ? models[models.findIndex((name) => name === value["model"]) + 1] : undefined;
      return next === undefined ? undefined : { model: next };
    });
    const transcription = "conversation.item.input_audio_transcription";
    accept({});
    for (const item_id of ["a", "b", "c"]) receive("input_audio_buffer.committed", { item_id });
    receive(`${transcription}.failed`, { item_id: "a", error: { code: "no_deployment" } });
    receive(`${transcription}.failed`, { item_id: "b", error: { code: "no_deployment" } });
    receive("session.updated", { session: {} });
    receive(`${transcription}.failed`, { item_id: "c", error: { code: "no_deployment" } });
    expect(log.of("user-transcript-failed")).toHaveLength(3);
    expect(log.of("settings-repaired")).toHaveLength(1);
    const sent = socket.sent.map((text) => /"model":"(\w+)"/.exec(text)?.[1]);
    expect(sent).toEqual(["first", "second"]);
  });

  it("[RT-44] names what a transcription was made with, which its price depends on", () => {
    const { log, receive, accept } = rig({ transcription: { model: "first" } });
    accept({});
    receive("input_audio_buffer.committed", { item_id: "a" });
    receive("conversation.item.input_audio_transcription.completed", {
      item_id: "a",
      transcript: "Hello.",
      usage: { type: "duration", seconds: 2 },
    });
    expect(log.of("used")).toMatchObject([{ what: "transcription", usage: { audioSeconds: 2, model: "first" } }]);
  });

  it("waits for a service that takes long to accept the connection", () => {
    const { log, clock } = rig();
    // A socket that is still connecting throws when it is pinged.
    clock.advance(60_000);
    expect(log.ended).toEqual([]);
  });
});
