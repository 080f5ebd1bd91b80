import { recordedTranscript } from "@voice/shared/contracts/http/recordings";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { SessionRecording } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { MemoryRecordingStore } from "../../testing/memory-recording-store.ts";
import { PlayoutTicker } from "../playout/playout-ticker.ts";
import { Playout } from "../playout/playout.ts";
import { Track } from "../playout/track.ts";
import { ConversationRecorder } from "./conversation-recorder.ts";

const defaultRateHz = 16_000;
const id = { sessionId: "session-1", recordingId: "only" };

/** A recorder on a playout and a caller, all on one virtual clock. */
function rig(options: { awaitsAnnouncement?: boolean; rateHz?: number; channels?: 1 | 2 } = {}) {
  const { rateHz = defaultRateHz } = options;
  const clock = new VirtualClock();
  const store = new MemoryRecordingStore();
  const changes: SessionRecording[] = [];
  const recorder = new ConversationRecorder({
    id,
    format: { sampleRateHz: rateHz, channels: options.channels ?? 2 },
    store,
    awaitsAnnouncement: options.awaitsAnnouncement ?? false,
    clock,
    logger: silentLogger,
    onChanged: (recording) => changes.push(recording),
    onFailure: () => undefined,
  });
  const ticker = new PlayoutTicker(clock, silentLogger);
  const playout = new Playout({
    clock,
    sampleRateHz: rateHz,
    leadMs: 200,
    peerBufferMs: 0,
    stallMs: 5000,
    sink: {
      sendAudio: (frame, playsAtMs) => recorder.agentAudio(frame, playsAtMs),
      stopAudio: () => recorder.agentStopped(),
    },
    events: { onAudible: () => undefined, onDrained: () => undefined, onStalled: () => undefined },
  });
  ticker.add(playout);

  function play(ms: number, level: number): void {
    const track = new Track();
    track.write(new Int16Array((ms * rateHz) / 1000).fill(level));
    track.complete();
    playout.play(track, "turn-1");
    ticker.wake();
  }
  function resume(): void {
    playout.resume();
    ticker.wake();
  }
  async function hear(ms: number, level: number): Promise<void> {
    for (let heardMs = 0; heardMs < ms; heardMs += 20) {
      await clock.advanceAsync(20, 20);
      recorder.callerAudio(new Int16Array((20 * rateHz) / 1000).fill(level));
    }
  }
  async function close(): Promise<void> {
    const closing = recorder.close();
    await clock.advanceAsync(20, 20);
    await closing;
  }
  async function kept(): Promise<Int16Array> {
    const { dataBytes = 0 } = (await store.find(id)) ?? {};
    return samplesFromBytes(await store.read(id, 0, dataBytes));
  }
  async function side(offset: 0 | 1): Promise<string[]> {
    const stereo = await kept();
    const mono = new Int16Array(stereo.length / 2);
    for (let frame = 0; frame < mono.length; frame++) mono[frame] = stereo[frame * 2 + offset] ?? 0;
    return runsOf(mono, rateHz);
  }
  async function transcript() {
    const text = await store.transcript(id);
    return recordedTranscript.parse(JSON.parse(text ?? ""));
  }
  return { clock, store, changes, recorder, playout, resume, play, hear, close, side, transcript };
}

/** `level@from-until` in milliseconds, silences left out. */
function runsOf(samples: Int16Array, rateHz: number): string[] {
  const runs: string[] = [];
  let from = 0;
  for (let at = 1; at <= samples.length; at++) {
    if (samples[at] === samples[from]) continue;
    if (samples[from] !== 0) runs.push(`${samples[from]}@${(from * 1000) / rateHz}-${(at * 1000) / rateHz}`);
    from = at;
  }
  return runs;
}

describe("the recorder", () => {
  it("[REC-2a] [REC-2b] [REC-2e] has both sides where they were heard, silences included", async () => {
    const { hear, play, close, side } = rig();
    await hear(1000, 0);
    play(600, 7);
    await hear(2000, 0);
    await hear(400, 5);
    await hear(600, 0);
    await close();
    expect(await side(0)).toEqual(["5@3000-3400"]);
    expect(await side(1)).toEqual(["7@1000-1600"]);
  });

  it("[REC-2b] [BARGE-1] cuts the agent where the caller stopped hearing it, and goes on where it went on", async () => {
    const { hear, play, playout, resume, close, side } = rig();
    play(5000, 7);
    await hear(1240, 5);
    playout.hold("speech");
    await hear(1000, 5);
    resume();
    await hear(500, 5);
    playout.stop("ended");
    await hear(2000, 0);
    await close();
    expect(await side(1)).toEqual(["7@0-1240", "7@2240-2740"]);
    expect(await side(0)).toEqual(["5@0-2740"]);
  });

  it("[REC-2c] has the words of a peer that sends no silence where they were said", async () => {
    const { clock, hear, close, side } = rig();
    await hear(1000, 5);
    await clock.advanceAsync(700, 20);
    await hear(600, 6);
    await clock.advanceAsync(400, 20);
    await hear(1000, 7);
    await close();
    expect(await side(0)).toEqual(["5@0-1000", "6@1700-2300", "7@2700-3700"]);
  });

  it.each([1200, 2000, 2900])(
    "[REC-2d] has what the caller said while the network was silent for %i ms where they said it",
    async (stallMs) => {
      const { clock, recorder, hear, play, close, side } = rig();
      const burst = (ms: number, level: number): void => {
        for (let at = 0; at < ms; at += 20) recorder.callerAudio(new Int16Array(320).fill(level));
      };
      await hear(1000, 5);
      play(1000, 7);
      await clock.advanceAsync(stallMs, 20);
      burst(stallMs, 6);
      await hear(3000, 8);
      await close();
      const backMs = 1000 + stallMs;
      expect(await side(0)).toEqual(["5@0-1000", `6@1000-${backMs}`, `8@${backMs}-${backMs + 3000}`]);
      expect(await side(1)).toEqual(["7@1000-2000"]);
    },
  );

  it("[REC-2e] is as long as the call, and exact after an hour", async () => {
    const hourMs = 3_600_000;
    const { clock, recorder, play, hear, close, side, transcript } = rig({ rateHz: 8000 });
    const second = new Int16Array(8000);
    for (let heardMs = 0; heardMs < hourMs; heardMs += 1000) {
      await clock.advanceAsync(1000, 1000);
      recorder.callerAudio(second);
    }
    play(1000, 7);
    await hear(500, 5);
    await hear(2000, 0);
    await close();
    expect(await side(0)).toEqual([`5@${hourMs}-${hourMs + 500}`]);
    expect(await side(1)).toEqual([`7@${hourMs}-${hourMs + 1000}`]);
    expect((await transcript()).duration_ms).toBe(hourMs + 2500);
  }, 60_000);

  it("[REC-3c] begins with the first sample of the announcement", async () => {
    const { hear, play, close, side, changes, clock } = rig({ awaitsAnnouncement: true });
    await hear(700, 5);
    expect(changes).toEqual([]);
    play(1000, 7);
    await hear(2000, 5);
    await close();
    expect(await side(1)).toEqual(["7@0-1000"]);
    expect(await side(0)).toEqual(["5@0-2000"]);
    expect(changes[0]).toMatchObject({ status: "recording", startedAtMs: clock.wallNow() - 2020 });
  });

  it("[REC-3d] keeps nothing when the announcement cannot be spoken", async () => {
    const { hear, recorder, close, store, changes, play } = rig({ awaitsAnnouncement: true });
    recorder.abandon();
    play(1000, 7);
    await hear(2000, 5);
    await close();
    expect(await store.find(id)).toBeUndefined();
    expect(changes).toEqual([]);
  });

  it("[REC-4] says who said what when, in the order of its beginning, as far as it was heard", async () => {
    const { hear, play, playout, recorder, close, transcript, clock } = rig();
    play(5000, 7);
    await hear(1240, 0);
    playout.stop("ended");
    const caller = { text: "wait", turnId: "turn-2", startedAtMs: clock.now() - 300, endedAtMs: clock.now() };
    recorder.callerSaid(caller);
    const words = [
      { agent: "desk", text: "Hello.", endSample: 8000 },
      { agent: "desk", text: "How are", endSample: 16_000 },
    ];
    recorder.agentSaid({ turnId: "turn-1", words, interrupted: true });
    await hear(1000, 0);
    await close();
    const { entries } = await transcript();
    expect(entries.map((entry) => Object.values(entry).join("|"))).toEqual([
      "agent|desk|Hello.|0|500|turn-1|false",
      "agent|desk|How are|500|1240|turn-1|true",
      "caller||wait|940|1240|turn-2|false",
    ]);
  });

  it.each([
    { channels: 1, sides: ["caller"] },
    { channels: 2, sides: ["caller", "agent"] },
  ] as const)("[REC-4] says whose audio $channels channels hold", async ({ channels, sides }) => {
    const { hear, close, transcript } = rig({ channels });
    await hear(1000, 5);
    await close();
    expect((await transcript()).channels).toEqual(sides);
  });

  it("[REC-5b] loses only the newest seconds when the process is lost", async () => {
    const { hear, side, transcript, recorder, clock } = rig();
    recorder.callerSaid({ text: "one", turnId: "turn-1", startedAtMs: 0, endedAtMs: clock.now() });
    await hear(10_000, 5);
    const [run = ""] = await side(0);
    expect(Number(run.split("-")[1])).toBeGreaterThan(10_000 - 1000 - 1500 - 1000);
    expect((await transcript()).entries).toHaveLength(1);
  });

  it("[REC-5c] writes a long transcript less often, and whole at the end", async () => {
    const { hear, close, recorder, transcript, store, clock } = rig({ rateHz: 8000 });
    const say = (text: string): void => {
      const atMs = clock.now();
      recorder.callerSaid({ text, turnId: "turn-1", startedAtMs: atMs, endedAtMs: atMs });
    };
    for (let at = 0; at < 2000; at++) say(`sentence ${at}`);
    await hear(1100, 0);
    const before = store.descriptions;
    for (let second = 0; second < 20; second++) {
      say(`later ${second}`);
      await hear(1000, 0);
    }
    expect(store.descriptions - before).toBeLessThanOrEqual(2);
    await close();
    expect((await transcript()).entries.at(-1)?.text).toBe("later 19");
  });

  it("[REC-6] tells the session how it ended", async () => {
    const { hear, close, changes, store } = rig();
    await hear(1000, 5);
    store.failure = new VoiceError("upstream_unavailable", "away");
    await hear(45_000, 5);
    store.failure = undefined;
    await hear(20_000, 5);
    await close();
    expect(changes.map(({ status }) => status)).toEqual(["recording", "incomplete"]);
    expect(changes[1]?.lostMs).toBeGreaterThan(10_000);
    expect(changes[1]?.durationMs).toBe(66_000);
  });

  it("[REC-9] ends when the session was deleted, and says nothing more", async () => {
    const { hear, close, changes, store } = rig();
    await hear(3000, 5);
    await store.deleteAll(id.sessionId);
    await hear(3000, 5);
    await close();
    expect(changes.map(({ status }) => status)).toEqual(["recording"]);
    expect(await store.find(id)).toBeUndefined();
  });
});
