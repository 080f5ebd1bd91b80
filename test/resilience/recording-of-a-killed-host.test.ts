/** The recording of a call that loses its host: real processes, real speech, and SIGKILL. Rules: docs/calls.md, REC. */
import { sessionState } from "@voice/shared/contracts/http/sessions";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startBlobStorage } from "../fakes/blob-storage.ts";
import type { BlobStorage } from "../fakes/blob-storage.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import {
  callerLines,
  contributions,
  createRecordingJudges,
  expectHeard,
  listen,
  offer,
  recordingNotice,
} from "../support/listen-to-recording.ts";
import { isSpeaking, watchLiveEvents } from "../support/live-events.ts";
import type { LiveEvents } from "../support/live-events.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { eventually } from "../support/wait.ts";

const judges = createRecordingJudges();

describe.skipIf(!isRedisAvailable())("the recording of a call whose host is killed", () => {
  let storage: BlobStorage;
  let fleet: CallFleet;
  let live: LiveEvents;

  beforeAll(async () => {
    storage = await startBlobStorage();
    fleet = await startCallFleet({
      hosts: 2,
      packages: inject("packages"),
      environment: {
        RECORDING_ENABLED: "true",
        RECORDING_ANNOUNCEMENT: recordingNotice,
        CLOUD_STORAGE_CONNECTION_STRING: storage.connectionString,
      },
    });
    live = await watchLiveEvents(fleet.state);
  });

  // A failed try may have left none running.
  beforeEach(() => fleet.startWhatIsDown());

  afterAll(async () => {
    await live.close();
    await fleet.close();
    await storage.close();
  });

  it("[REC-5a] [REC-7] keeps what was written, and goes on in a further recording", async () => {
    let killing: Promise<void> | undefined;
    const actions = [{ kind: "say", text: callerLines[0] ?? "" }] as const;
    const phone = fleet.network.expectCall({ actions, staysOnTheLine: true }, (event) => {
      if (event.kind !== "said") return;
      killing = (async () => {
        await live.next(isSpeaking);
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
    const statuses = async (): Promise<string[]> => {
      const { recordings } = sessionState.parse(await (await fleet.get(`/sessions/${sessionId}`)).json());
      return recordings.map(({ status }) => status);
    };
    await expect.poll(statuses).toEqual(["interrupted", "complete"]);

    const listened = await listen((target) => fleet.get(target), sessionId);
    const { transcript } = listened;
    const [lost, taken] = transcript.recordings;
    if (lost === undefined || taken === undefined) expect.fail("there are not two recordings");
    const after = transcript.entries.filter(({ start_ms: startMs }) => startMs >= taken.start_ms);
    // The answer is given again in whole, and nobody is told a second time that the call is recorded.
    expect(after.map(({ text }) => text).join(" ")).toBe(offer);
    for (const words of contributions(after)) await expectHeard(judges, listened, words);
    // What the host had said long enough before its end is there, in the file and in words.
    expect(lost.duration_ms).toBeGreaterThan(5000);
    const kept = transcript.entries.filter(({ end_ms: endMs }) => endMs <= lost.duration_ms);
    expect(kept[0]).toMatchObject({ text: recordingNotice });
    for (const words of contributions(kept)) await expectHeard(judges, listened, words);
    expect(storage.names().filter((name) => name.endsWith(".wav"))).toHaveLength(2);
  });
});
