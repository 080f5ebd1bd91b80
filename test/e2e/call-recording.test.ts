/**
 * Recordings of real calls: what is on them is recognised by ears of the test's own, at the times that the transcript
 * claims. The whole service, the telephone network, speech that is spoken and recognised. Rules: docs/calls.md, REC.
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sessionState } from "@voice/shared/contracts/http/sessions";
import { sessionTranscript } from "@voice/shared/contracts/http/recordings";
import type { RecordedWords, SessionTranscript } from "@voice/shared/contracts/http/recordings";
import { rmsLevel } from "@voice/streaming-host/audio/levels";
import { pickChannel } from "@voice/streaming-host/audio/channels";
import { decodeWav } from "@voice/streaming-host/audio/wav";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startBlobStorage } from "../fakes/blob-storage.ts";
import type { BlobStorage } from "../fakes/blob-storage.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { isSpeaking, watchLiveEvents } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { isRedisAvailable } from "../support/redis-server.ts";
import { eventually, sleep } from "../support/wait.ts";
import { createJudge, wordErrorRate } from "./support/judge.ts";
import type { Judge } from "./support/judge.ts";
import { startPhoneRig } from "./support/phone-rig.ts";
import type { PhoneRig } from "./support/phone-rig.ts";

const notice = "This call is recorded.";
const rateHz = 16_000;
const callerLines = ["what can you do", "i lost my card"];
const offer = "I can check the balance of your checking or savings account, or connect you to our card team.";
const agentLines = [
  notice,
  "Thank you for calling Harbor Bank.",
  "I can check a balance, or connect you to our card team.",
  "How can I help you today?",
  offer,
  "I am connecting you to our card team.",
  "This is the card team.",
  "Is it your credit card or your debit card?",
];
/** Speech below it is none; the synthetic voices are far above. */
const silentLevel = 0.002;

/** Each knows the words of one side only, so that neither can take the other's for its own. */
let agentJudge: Judge;
let callerJudge: Judge;

beforeAll(async () => {
  agentJudge = await createJudge(agentLines);
  callerJudge = await createJudge(callerLines);
});

afterAll(async () => {
  await Promise.all([agentJudge.close(), callerJudge.close()]);
});

interface Listened {
  readonly transcript: SessionTranscript;
  readonly caller: Int16Array;
  readonly agent: Int16Array;
}

async function listen(get: (path: string) => Promise<Response>, sessionId: string): Promise<Listened> {
  const wav = decodeWav(new Uint8Array(await (await get(`/sessions/${sessionId}/recording`)).arrayBuffer()));
  expect(wav).toMatchObject({ channels: 2, sampleRateHz: rateHz });
  return {
    transcript: sessionTranscript.parse(await (await get(`/sessions/${sessionId}/recording/transcript`)).json()),
    caller: pickChannel(wav.samples, 2, 0),
    agent: pickChannel(wav.samples, 2, 1),
  };
}

function slice(side: Int16Array, fromMs: number, untilMs: number): Int16Array {
  return side.subarray(Math.max(0, (fromMs * rateHz) / 1000), (untilMs * rateHz) / 1000);
}

/** All that one side said in a row: a single "Sure." is too short to be told from noise. */
function contributions(entries: readonly RecordedWords[]): RecordedWords[] {
  const joined: RecordedWords[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last?.turn_id !== entry.turn_id || last.speaker !== entry.speaker) joined.push({ ...entry });
    else Object.assign(last, { ...entry, text: `${last.text} ${entry.text}`, start_ms: last.start_ms });
  }
  return joined;
}

/** The words are there, at that time, on that side; and, unless somebody spoke over them, nothing on the other. */
async function expectHeard({ caller, agent, transcript }: Listened, words: RecordedWords): Promise<void> {
  const { speaker, text, start_ms: startMs, end_ms: endMs } = words;
  const [own, judge, other] = speaker === "agent" ? [agent, agentJudge, caller] : [caller, callerJudge, agent];
  // A recogniser may be a little late at both ends.
  const slackMs = speaker === "agent" ? 40 : 250;
  const heard = await judge.transcribe(slice(own, startMs - slackMs, endMs + slackMs));
  expect(wordErrorRate(text, heard), `"${text}" at ${startMs} ms was heard as "${heard}"`).toBeLessThanOrEqual(0.34);
  const isSpokenOver = transcript.entries.some(
    (entry) => entry.speaker !== speaker && entry.start_ms < endMs + slackMs && entry.end_ms > startMs - slackMs,
  );
  if (!isSpokenOver) expect(rmsLevel(slice(other, startMs, endMs))).toBeLessThan(silentLevel);
}

describe("the recording of a phone call", () => {
  let rig: PhoneRig;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "recordings-"));
    rig = await startPhoneRig({}, { RECORDING_DIR: folder, RECORDING_ANNOUNCEMENT: notice });
  });

  afterAll(async () => {
    await rig.close();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (target: string): Promise<Response> => fetch(`http://127.0.0.1:${rig.service.port}/api/v1${target}`);

  it("[REC-1] is not made unless somebody asked for it", async () => {
    const phone = rig.network.expectCall({ actions: [] });
    const callId = await rig.initiate({ target_number: phoneNumbers.person });
    await phone.finished;
    const { sessionId } = await rig.call(callId);
    expect((await get(`/sessions/${sessionId}/recording`)).status).toBe(404);
    expect(await readdir(folder)).toEqual([]);
  });

  it("[REC-2] [REC-3] [REC-4] has what was said, where it was said, with the cut of an interruption", async () => {
    const phone = rig.network.expectCall({
      actions: callerLines.map((text) => ({ kind: "say", text })),
      interruptAfterMs: 1500,
    });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, record_call: true });
    await phone.finished;
    const { sessionId } = await rig.call(callId);
    await eventually(async () => {
      const { recordings } = sessionState.parse(await (await get(`/sessions/${sessionId}`)).json());
      return recordings.length === 1 && recordings[0]?.status === "complete";
    }, "the recording is complete");

    const listened = await listen(get, sessionId);
    const { transcript, agent } = listened;
    const { entries } = transcript;
    expect(entries[0]).toMatchObject({ text: notice, start_ms: 0 });
    expect(entries.filter(({ speaker }) => speaker === "caller").map(({ text }) => text)).toEqual(callerLines);
    for (const words of contributions(entries)) if (!words.interrupted) await expectHeard(listened, words);

    const cut = entries.find(({ interrupted }) => interrupted) ?? expect.fail("nothing was interrupted");
    const next = entries.find(({ speaker, start_ms: startMs }) => speaker === "agent" && startMs > cut.start_ms);
    expect(cut.end_ms - cut.start_ms).toBeLessThan(4000);
    expect(rmsLevel(slice(agent, cut.start_ms, cut.end_ms))).toBeGreaterThan(silentLevel);
    // Times are whole milliseconds; between them and the samples lies up to half of one.
    expect(rmsLevel(slice(agent, cut.end_ms + 1, (next?.start_ms ?? transcript.duration_ms) - 1))).toBe(0);
  });

  it("[REC-10] stands in its folder as a file that any player opens, with nothing personal in its name", async () => {
    const [session = ""] = await readdir(folder);
    const files = (await readdir(path.join(folder, session))).toSorted();
    expect(files.map((file) => path.extname(file))).toEqual([".json", ".vtt", ".wav"]);
    expect(`${session}/${files.join("/")}`).not.toContain(phoneNumbers.person.slice(2));
    const wav = await readFile(path.join(folder, session, files[2] ?? ""));
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  });
});

describe.skipIf(!isRedisAvailable())("the recording of a call whose host is killed", () => {
  let storage: BlobStorage;
  let fleet: CallFleet;
  let live: LiveEvents;

  beforeAll(async () => {
    storage = await startBlobStorage();
    fleet = await startCallFleet({
      hosts: 2,
      environment: {
        RECORDING_ENABLED: "true",
        RECORDING_ANNOUNCEMENT: notice,
        CLOUD_STORAGE_CONNECTION_STRING: storage.connectionString,
      },
    });
    live = await watchLiveEvents(fleet.state);
  });

  afterAll(async () => {
    await live.close();
    await fleet.close();
    await storage.close();
  });

  it("[REC-5] [REC-7] keeps what was written, and goes on in a further recording", async () => {
    let killing: Promise<void> | undefined;
    const actions = [{ kind: "say", text: callerLines[0] ?? "" }] as const;
    const phone = fleet.network.expectCall({ actions, staysOnTheLine: true }, (event) => {
      if (event.kind !== "said") return;
      killing = (async () => {
        await live.next(isSpeaking);
        await sleep(300);
        await fleet.carrier().kill();
      })();
    });
    const callId = await fleet.initiate({ target_number: phoneNumbers.person });
    await eventually(async () => {
      const history = await fleet.history((await fleet.latestCall()).call);
      return history.some(({ content, interrupted }) => content === offer && !interrupted);
    }, "the next host has given the answer");
    await killing;
    fleet.network.emulator.calls.at(-1)?.hangUp("phone");
    await phone.finished;
    const { sessionId } = await fleet.ended(callId);
    await eventually(async () => {
      const { recordings } = sessionState.parse(await (await fleet.get(`/sessions/${sessionId}`)).json());
      return recordings.map(({ status }) => status).join() === "interrupted,complete";
    }, "the second recording is complete");

    const listened = await listen((target) => fleet.get(target), sessionId);
    const { transcript } = listened;
    const [lost, taken] = transcript.recordings;
    if (lost === undefined || taken === undefined) expect.fail("there are not two recordings");
    const after = transcript.entries.filter(({ start_ms: startMs }) => startMs >= taken.start_ms);
    // The answer is given again in whole, and nobody is told a second time that the call is recorded.
    expect(after.map(({ text }) => text).join(" ")).toBe(offer);
    for (const words of contributions(after)) await expectHeard(listened, words);
    // What the host had said long enough before its end is there, in the file and in words.
    expect(lost.duration_ms).toBeGreaterThan(5000);
    const kept = transcript.entries.filter(({ end_ms: endMs }) => endMs <= lost.duration_ms);
    expect(kept[0]).toMatchObject({ text: notice });
    for (const words of contributions(kept)) await expectHeard(listened, words);
    expect(storage.names().filter((name) => name.endsWith(".wav"))).toHaveLength(2);
  });
});
