/**
 * Recordings of real calls: what is on them is recognised by a recogniser of the test's own that remembers what was spoken, at the
 * times that the transcript states. The whole service, the telephone network, speech that is spoken. Rules: docs/calls.md, REC.
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sessionState } from "@voice/shared/contracts/http/sessions";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { returned } from "@voice/local-voice/rule-model/hand-back";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import {
  callerLines,
  contributions,
  createRecordingJudges,
  expectHeard,
  listen,
  recordingNotice,
  silentLevel,
  slice,
} from "../support/listen-to-recording.ts";
import { createJudge } from "../support/judge.ts";
import { connectOperator } from "../support/operator.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { rememberingRecogniser } from "../support/speech-engines.ts";
import { passTime } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";

/** Another sentence than the caller's and the agents', and yet one that the recogniser knows. */
const persons = "i want to check my balance";
const loudest = (samples: Int16Array = new Int16Array()): number =>
  samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
const judges = createRecordingJudges(rememberingRecogniser);

describe("the recording of a phone call", () => {
  let rig: PhoneRig;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "recordings-"));
    rig = await startPhoneRig({}, { RECORDING_DIR: folder, RECORDING_ANNOUNCEMENT: recordingNotice });
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

  it("[REC-2a] [REC-2b] [REC-3a] [REC-4] has what was said, where it was said, with the cut of an interruption", async () => {
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
    expect(entries[0]).toMatchObject({ text: recordingNotice, start_ms: 0 });
    expect(entries.filter(({ speaker }) => speaker === "caller").map(({ text }) => text)).toEqual(callerLines);
    for (const words of contributions(entries)) if (!words.interrupted) await expectHeard(judges, listened, words);

    const cut = entries.find(({ interrupted }) => interrupted) ?? expect.fail("nothing was interrupted");
    const next = entries.find(({ speaker, start_ms: startMs }) => speaker === "agent" && startMs > cut.start_ms);
    expect(cut.end_ms - cut.start_ms).toBeLessThan(4000);
    expect(rmsLevel(slice(agent, cut.start_ms, cut.end_ms))).toBeGreaterThan(silentLevel);
    // Times are whole milliseconds; between them and the samples lies up to half of one.
    expect(rmsLevel(slice(agent, cut.end_ms + 1, (next?.start_ms ?? transcript.duration_ms) - 1))).toBe(0);
  });

  it("[PERSON-4] [PERSON-5] [PERSON-6] [PERSON-7] goes on while a person has the call, who holds, presses keys and hands it back", async () => {
    const taken = Promise.withResolvers<void>();
    async function* typed() {
      await taken.promise;
      yield { kind: "say", text: "I lost my card" } as const;
    }
    const phone = rig.network.expectCall({ actions: [], typed: typed(), staysOnTheLine: true });
    const callId = await rig.initiate({ target_number: phoneNumbers.person, record_call: true });
    await eventually(() => eventsOf("heard", phone.events).length === 1, "the caller is greeted");
    const { sessionId } = await rig.call(callId);
    using operator = await connectOperator(rig.service, sessionId);

    await operator.takeOver();
    taken.resolve();
    await operator.reads({ role: "user", content: "i lost my card" });
    await operator.say(persons);
    await operator.reads({ role: "assistant", content: persons, author: "person" });

    await operator.request("keys", { keys: "42#" });
    const keys = (): string =>
      eventsOf("keys-heard", phone.events)
        .map((heard) => heard.keys)
        .join("");
    await eventually(() => keys() === "42#", "the keys are heard");
    await operator.request("hold", { on: true });
    await passTime(500);
    const before = phone.recording?.agentOnly().length ?? 0;
    await operator.say("what can you do");
    const onHold = loudest(phone.recording?.agentOnly().subarray(before));
    expect([onHold > 500, onHold < 2000]).toEqual([true, true]);
    await operator.request("hold", { on: false });

    await operator.request("handback", { notes: "The card is blocked." });
    await operator.reads({ role: "system", author: "person", content: expect.stringContaining("is blocked") });
    await operator.reads({ role: "assistant", content: returned });
    await rig.hangUp(callId);
    await phone.finished;
    expect((await rig.spokenInAll(callId)).slice(2)).toEqual([
      "user: i lost my card", // which no agent answers
      `assistant: ${persons}`,
      expect.stringContaining("system: The colleague hands the conversation back"),
      `assistant: ${returned}`,
    ]);

    const listened = await listen(get, sessionId);
    const said = (text: string) =>
      listened.transcript.entries.find((entry) => entry.text === text) ?? expect.fail(`not recorded: ${text}`);
    expect(said("i lost my card").speaker).toBe("caller");
    await expectHeard(judges, listened, said("i lost my card"));
    expect(said(persons)).toMatchObject({ speaker: "agent", agent: null });
    const person = { agent: createJudge([persons], rememberingRecogniser), caller: judges.caller };
    await expectHeard(person, listened, said(persons));
  });

  it("[REC-10] stands in its folder as a file that any player opens, with nothing personal in its name", async () => {
    const [session = ""] = await readdir(folder);
    const inFolder = async () => (await readdir(path.join(folder, session))).toSorted();
    const extensions = async () => (await inFolder()).map((file) => path.extname(file));
    // While one is written, there is a `.new` beside it.
    await expect.poll(extensions).toEqual([".json", ".vtt", ".wav"]);
    const files = await inFolder();
    expect(`${session}/${files.join("/")}`).not.toContain(phoneNumbers.person.slice(2));
    const wav = await readFile(path.join(folder, session, files[2] ?? ""));
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  });
});
