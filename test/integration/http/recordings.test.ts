/** Recordings over HTTP, from a folder and from Blob storage. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { VoiceError } from "@voice/shared/platform/errors";
import { createBlobRecordingStore } from "@voice/shared/recordings/blob-recording-store";
import { createFolderRecordingStore } from "@voice/shared/recordings/folder-recording-store";
import type { RecordingStore } from "@voice/shared/recordings/recording-store";
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import { MemoryRecordingStore } from "@voice/streaming-host/testing/memory-recording-store";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { startBlobStorage } from "../../fakes/blob-storage.ts";
import type { BlobStorage } from "../../fakes/blob-storage.ts";
import { productionSettings, startApi, type Api } from "./api-harness.ts";

const startedAtMs = Date.UTC(2026, 0, 1);
const format = { sampleRateHz: 16_000, channels: 2 } as const;
const msBytes = 64;

let storage: BlobStorage;
let folder: string;

beforeAll(async () => {
  storage = await startBlobStorage();
  folder = await mkdtemp(path.join(tmpdir(), "recordings-"));
});

afterAll(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

async function newSession(api: Api, sessionId: string, recordings?: readonly SessionRecording[]): Promise<void> {
  await api.state.sessions.create({
    sessionId,
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "default",
    activeAgent: "front-desk",
    visitedAgents: [],
    status: "active",
    memory: {},
    recordings,
    createdAtMs: startedAtMs,
  });
}

function listed(recordingId: string, afterMs: number, status: SessionRecording["status"]): SessionRecording {
  return { recordingId, startedAtMs: startedAtMs + afterMs, ...format, status };
}

/** 100 ms whose samples are all this number, with one word said in it. */
async function record(store: RecordingStore, sessionId: string, recordingId: string, number: number): Promise<void> {
  const writer = await store.create({ sessionId, recordingId }, format);
  await writer.append(new Uint8Array(new Int16Array((100 * msBytes) / 2).fill(number).buffer));
  const word = { speaker: "caller", agent: null, turn_id: "turn-1", interrupted: false, start_ms: 10, end_ms: 60 };
  const transcript = {
    session_id: sessionId,
    recording_id: recordingId,
    started_at: new Date(startedAtMs).toISOString(),
    duration_ms: null,
    sample_rate: 16_000,
    channels: ["caller", "agent"],
    entries: [{ ...word, text: `word ${number}` }],
  };
  await writer.describe({ transcript: JSON.stringify(transcript), captions: "WEBVTT" });
  await writer.close();
}

/** 2.7 MB: several pieces. Every second's samples are its number. */
const longSeconds = 42;

async function recordLong(store: RecordingStore, sessionId: string): Promise<void> {
  const writer = await store.create({ sessionId, recordingId: "only" }, format);
  for (let number = 0; number < longSeconds; number += 1)
    await writer.append(new Uint8Array(new Int16Array(32_000).fill(number).buffer));
  await writer.close();
}

async function wavOf(api: Api, target: string): Promise<Int16Array> {
  const response = await fetch(`${api.url}${target}`);
  expect(response.headers.get("content-type")).toBe("audio/wav");
  return decodeWav(new Uint8Array(await response.arrayBuffer())).samples;
}

describe.each([
  ["a folder", () => ({ RECORDING_DIR: folder }), () => createFolderRecordingStore(folder)],
  [
    "Blob storage",
    () => ({ CLOUD_STORAGE_CONNECTION_STRING: storage.connectionString, RECORDING_CONTAINER: "calls" }),
    () => createBlobRecordingStore({ access: { connectionString: storage.connectionString }, container: "calls" }),
  ],
])("recordings in %s", (_where, environment, open) => {
  let api: Api;
  let store: RecordingStore;

  beforeAll(async () => {
    store = open();
    api = await startApi(environment());
    await record(store, "taken-over", "first", 1);
    await record(store, "taken-over", "second", 2);
    await newSession(api, "taken-over", [listed("first", 0, "interrupted"), listed("second", 150, "recording")]);
  });

  afterAll(() => api.close());

  it("[REC-8] are listed in the session", async () => {
    const { body } = await api.call("GET", "/api/v1/sessions/taken-over");
    expect(body).toMatchObject({
      recordings: [
        {
          recording_id: "first",
          status: "interrupted",
          started_at: "2026-01-01T00:00:00.000Z",
          duration_ms: null,
          lost_ms: 0,
          sample_rate: 16_000,
          channels: ["caller", "agent"],
        },
        { recording_id: "second", status: "recording" },
      ],
    });
  });

  it("[REC-7] [REC-8] are served as one file, or one by one", async () => {
    const whole = await wavOf(api, "/api/v1/sessions/taken-over/recording");
    expect(whole).toHaveLength((250 * msBytes) / 2);
    expect([whole[0], whole[100 * 32 - 1], whole[100 * 32], whole[150 * 32]]).toEqual([1, 1, 0, 2]);
    const second = await wavOf(api, "/api/v1/sessions/taken-over/recording?recording_id=second");
    expect(new Set(second)).toEqual(new Set([2]));
  });

  it("[REC-8] are empty as soon as they have begun, and missing where nothing came of them", async () => {
    await newSession(api, "just-begun", [listed("first", 0, "recording")]);
    expect(await wavOf(api, "/api/v1/sessions/just-begun/recording")).toHaveLength(0);
    const transcript = await api.call("GET", "/api/v1/sessions/just-begun/recording/transcript");
    expect(transcript).toMatchObject({ status: 200, body: { duration_ms: 0, entries: [] } });

    await newSession(api, "never-written", [listed("first", 0, "failed")]);
    expect(await api.call("GET", "/api/v1/sessions/never-written/recording")).toMatchObject({ status: 404 });
  });

  it("[REC-8] are served in parts", async () => {
    const url = `${api.url}/api/v1/sessions/taken-over/recording`;
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const part = await fetch(url, { headers: { range: "bytes=40-6500" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 40-6500/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(40, 6501));
    const behind = await fetch(url, { headers: { range: `bytes=${whole.length}-` } });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
  });

  it("[REC-8] are whole however long they are", async () => {
    await recordLong(store, "long");
    await newSession(api, "long", [listed("only", 0, "complete")]);
    const samples = await wavOf(api, "/api/v1/sessions/long/recording");
    expect(samples).toHaveLength(longSeconds * 32_000);
    for (const number of [0, 1, 20, longSeconds - 1])
      expect([samples[number * 32_000], samples[(number + 1) * 32_000 - 1]]).toEqual([number, number]);
  });

  it("[REC-4] [REC-7] come with their transcript, and with captions", async () => {
    const { body } = await api.call("GET", "/api/v1/sessions/taken-over/recording/transcript");
    expect(body).toMatchObject({
      session_id: "taken-over",
      duration_ms: 250,
      entries: [
        { text: "word 1", start_ms: 10, end_ms: 60 },
        { text: "word 2", start_ms: 160, end_ms: 210 },
      ],
    });
    const captions = await api.call("GET", "/api/v1/sessions/taken-over/recording/captions");
    expect(captions.headers.get("content-type")).toContain("text/vtt");
    expect(captions.text).toContain("00:00:00.160 --> 00:00:00.210\n<v caller>word 2");
  });

  it.each(["recording", "recording/transcript", "recording/captions"])(
    "[REC-8] answer GET …/%s with 404 where there is nothing to hear",
    async (what) => {
      await newSession(api, `silent-${what.replace("/", "-")}`);
      const answers = [
        await api.call("GET", `/api/v1/sessions/nobody/${what}`),
        await api.call("GET", `/api/v1/sessions/silent-${what.replace("/", "-")}/${what}`),
        await api.call("GET", `/api/v1/sessions/taken-over/${what}?recording_id=third`),
      ];
      for (const { status, body } of answers) expect([status, body]).toMatchObject([404, { type: "not_found" }]);
    },
  );

  it("[REC-8] answer with 404 when a recording never reached its storage", async () => {
    await newSession(api, "failed", [listed("never", 0, "failed")]);
    const { status, body } = await api.call("GET", "/api/v1/sessions/failed/recording");
    expect([status, body]).toMatchObject([404, { type: "not_found" }]);
  });

  it("[REC-9] are deleted with their session", async () => {
    await record(store, "forgotten", "only", 3);
    await newSession(api, "forgotten", [listed("only", 0, "complete")]);
    expect((await api.call("DELETE", "/api/v1/sessions/forgotten")).status).toBe(200);
    expect(await store.find({ sessionId: "forgotten", recordingId: "only" })).toBeUndefined();
    const { status, body } = await api.call("GET", "/api/v1/sessions/forgotten/recording");
    expect([status, body]).toMatchObject([404, { type: "session_expired" }]);
  });

  it("[REC-9] are deleted also when their session has expired before", async () => {
    await newSession(api, "expired");
    await api.state.sessions.delete("expired");
    await record(store, "expired", "only", 3);
    expect((await api.call("DELETE", "/api/v1/sessions/expired")).status).toBe(200);
    expect(await store.find({ sessionId: "expired", recordingId: "only" })).toBeUndefined();
    expect((await api.call("DELETE", "/api/v1/sessions/expired")).status).toBe(404);
  });

  it("[REC-9] are deleted also when nothing else knows their session any more", async () => {
    await record(store, "of-last-month", "only", 3);
    expect((await api.call("DELETE", "/api/v1/sessions/of-last-month")).status).toBe(200);
    expect(await store.find({ sessionId: "of-last-month", recordingId: "only" })).toBeUndefined();
    expect((await api.call("DELETE", "/api/v1/sessions/of-last-month")).status).toBe(404);
  });
});

describe("recordings", () => {
  it("[REC-8] are read a piece at a time, and only as far as the client takes them", async () => {
    const store = new MemoryRecordingStore();
    const read = vi.spyOn(store, "read");
    const api = await startApi({}, { recordings: () => Promise.resolve(store) });
    await recordLong(store, "long");
    await newSession(api, "long", [listed("only", 0, "complete")]);
    const url = `${api.url}/api/v1/sessions/long/recording`;
    const length = String(44 + longSeconds * 64_000);
    const head = await fetch(url, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(length);
    expect(read).toHaveBeenCalledTimes(1);
    const whole = await fetch(url);
    expect(whole.headers.get("content-length")).toBe(length);
    expect((await whole.arrayBuffer()).byteLength).toBe(Number(length));
    for (const [, start, end] of read.mock.calls) expect(end - start).toBeLessThanOrEqual(1024 * 1024);
    await api.close();
  });

  it("[REC-8] are refused while their storage is away, and cut short when it goes away later", async () => {
    const store = new MemoryRecordingStore();
    const api = await startApi({}, { recordings: () => Promise.resolve(store) });
    await recordLong(store, "long");
    await newSession(api, "long", [listed("only", 0, "complete")]);
    const url = `${api.url}/api/v1/sessions/long/recording`;
    const away = new VoiceError("upstream_unavailable", "away");
    const read = vi.spyOn(store, "read").mockRejectedValueOnce(away);
    expect((await fetch(url)).status).toBe(502);
    const original = MemoryRecordingStore.prototype.read.bind(store);
    read.mockImplementationOnce(original).mockRejectedValueOnce(away);
    await expect((await fetch(url)).arrayBuffer()).rejects.toThrow("terminated");
    await api.close();
  });

  it("[REC-9] are not created any more once the deletion of their session has begun", async () => {
    const store = new MemoryRecordingStore();
    const api = await startApi({}, { recordings: () => Promise.resolve(store) });
    await newSession(api, "leaving");
    let deletionBegun: unknown;
    vi.spyOn(store, "deleteAll").mockImplementationOnce(async (sessionId) => {
      const found = await api.state.sessions.get(sessionId);
      deletionBegun = typeof found === "string" ? found : found.deletionBegun;
      return false;
    });
    expect((await api.call("DELETE", "/api/v1/sessions/leaving")).status).toBe(200);
    expect(deletionBegun).toBe(true);
    expect(await api.state.sessions.get("leaving")).toBe("expired");
    await api.close();
  });

  it("[REC-9] keep their session until their storage can forget them", async () => {
    const api = await startApi({
      CLOUD_STORAGE_CONNECTION_STRING: storage.connectionString,
      RECORDING_CONTAINER: "calls",
    });
    await newSession(api, "kept");
    storage.fault = "unavailable";
    const { status, body } = await api.call("DELETE", "/api/v1/sessions/kept");
    storage.fault = undefined;
    expect([status, body]).toMatchObject([502, { type: "upstream_unavailable" }]);
    expect(typeof (await api.state.sessions.get("kept"))).toBe("object");
    await api.close();
  });

  it("are part of readiness where somebody counts on them, and never hold a conversation up", async () => {
    const checkOf = async (environment: Record<string, string>) => {
      const api = await startApi(environment);
      const { body } = await api.call("GET", "/api/v1/readiness");
      await api.close();
      return z
        .object({ status: z.string(), checks: z.array(z.looseObject({ component: z.string() })) })
        .parse(body)
        .checks.find(({ component }) => component === "recording_storage");
    };
    const inBlobs = { CLOUD_STORAGE_CONNECTION_STRING: storage.connectionString, RECORDING_CONTAINER: "calls" };
    expect(await checkOf(inBlobs)).toMatchObject({ status: "healthy" });
    storage.fault = "unavailable";
    expect(await checkOf(inBlobs)).toMatchObject({ status: "unhealthy", details: null });
    storage.fault = "hangs";
    expect(await checkOf(inBlobs)).toMatchObject({ status: "unhealthy", error: "no answer within 1000 ms" });
    storage.fault = undefined;
    const file = path.join(folder, "not-a-folder");
    await writeFile(file, "");
    expect(await checkOf({ RECORDING_ENABLED: "true", RECORDING_DIR: file })).toMatchObject({
      status: "unhealthy",
      error: `cannot be written: folder ${file} (EEXIST)`,
    });
    expect(await checkOf({ RECORDING_ENABLED: "true", RECORDING_DIR: folder })).toMatchObject({ status: "healthy" });
    // A folder that nobody counts on is not looked at.
    expect(await checkOf({ RECORDING_DIR: file })).toMatchObject({ status: "healthy" });
  });

  it("[REC-8] need the same token as the rest of the API", async () => {
    const api = await startApi({
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: "11111111-1111-4111-8111-111111111111",
      CLOUD_TENANT_ID: "22222222-2222-4222-8222-222222222222",
      ALLOWED_CLIENT_IDS: "33333333-3333-4333-8333-333333333333",
    });
    for (const what of ["recording", "recording/transcript", "recording/captions"])
      expect((await api.call("GET", `/api/v1/sessions/any/${what}`)).status).toBe(401);
    await api.close();
  });

  it("[REC-1] are not promised where nothing can be recorded", async () => {
    const api = await startApi({ ...productionSettings, CALL_ALLOWED_DESTINATIONS: "US" });
    const call = { target_number: "+14255550123", record_call: true };
    const { status, body } = await api.call("POST", "/api/v1/calls/initiate", call);
    expect([status, body]).toMatchObject([503, { type: "dependency_not_ready" }]);
    await api.close();
  });
});
