import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { PlayoutTicker } from "./playout-ticker.ts";
import { Playout } from "./playout.ts";
import { Track } from "./track.ts";

const rateHz = 16_000;
const leadMs = 200;
const stallMs = 5000;

function rig(peerBufferMs = 0, { endsWhatStalls = true } = {}) {
  const clock = new VirtualClock();
  const frames: { atMs: number; first: number }[] = [];
  /** How many frames had been sent when the peer was told that they were all. */
  const ends: number[] = [];
  const log: string[] = [];
  const ticker = new PlayoutTicker(clock, silentLogger);
  const playout = new Playout({
    clock,
    sampleRateHz: rateHz,
    leadMs,
    peerBufferMs,
    stallMs,
    sink: {
      sendAudio: (frame) => frames.push({ atMs: clock.now(), first: frame[0] ?? 0 }),
      stopAudio: () => log.push(`stop@${clock.now()}`),
      endAudio: () => ends.push(frames.length),
    },
    events: {
      onAudible: (turnId) => log.push(`audible ${turnId}@${clock.now()}`),
      onDrained: (turnId, text) => log.push(`drained ${turnId} "${text}"@${clock.now()}`),
      onStalled: (turnId) => {
        log.push(`stalled ${turnId}@${clock.now()}`);
        if (endsWhatStalls) playout.stop("ended");
      },
    },
  });
  ticker.add(playout);
  return {
    clock,
    frames,
    ends,
    log,
    playout,
    play(track: Track, turnId = "turn-1") {
      playout.play(track, turnId);
      ticker.wake();
    },
    pump() {
      playout.pump();
      ticker.wake();
    },
  };
}

/** `ms` of samples; every 20 ms frame begins with its own number. */
function tone(ms: number, firstFrame = 0): Int16Array {
  const samples = new Int16Array((ms * rateHz) / 1000);
  for (let index = 0; index < samples.length; index += 320) samples[index] = firstFrame + index / 320;
  return samples;
}

function completeTrack(ms: number): Track {
  const track = new Track();
  track.beginText("hello there");
  track.write(tone(ms));
  track.complete();
  return track;
}

describe("playout", () => {
  it("[PLAY-2] sends the first frame when the first audio is there", () => {
    const { playout, frames, log, clock } = rig();
    const track = new Track();
    playout.play(track, "turn-1");
    clock.advance(3);
    track.write(tone(20));
    playout.pump();
    expect(frames).toEqual([{ atMs: 3, first: 0 }]);
    expect(log).toEqual(["audible turn-1@3"]);
  });

  it("[PLAY-2] sends the first frame of what a track holds already before anything else is done", () => {
    const { playout, frames } = rig();
    const track = new Track();
    track.write(tone(20));
    playout.play(track, "turn-1");
    expect(frames).toEqual([{ atMs: 0, first: 0 }]);
  });

  it("[PLAY-1] keeps within the lead and plays an hour in an hour", () => {
    const { play, frames, clock, log, pump } = rig();
    const track = new Track();
    play(track);
    const hourMs = 3_600_000;
    for (let written = 0; written < hourMs; written += 10_000) {
      track.write(new Int16Array((10_000 * rateHz) / 1000));
      pump();
      clock.advance(10_000);
    }
    for (const [index, frame] of frames.entries()) {
      const aheadMs = (index + 1) * 20 - frame.atMs;
      if (aheadMs > leadMs + 20 || aheadMs < 0) throw new Error(`frame ${index} is ${aheadMs} ms ahead`);
    }
    track.complete();
    pump();
    expect(frames).toHaveLength(hourMs / 20);
    expect(log.at(-1)).toBe(`drained turn-1 ""@${hourMs}`);
  });

  describe("[PLAY-8] the silence at the end of a voice", () => {
    const soundMs = 400;
    const silentEnd = (silenceMs: number): Int16Array => {
      const samples = new Int16Array(((soundMs + silenceMs) * rateHz) / 1000);
      samples.fill(1000, 0, (soundMs * rateHz) / 1000);
      return samples;
    };

    it("is left out, but for a tenth of a second", () => {
      const { play, clock, log, playout } = rig();
      const track = new Track();
      track.beginText("hello there");
      track.write(silentEnd(800));
      track.mark({ textEnd: 11, endSample: ((soundMs + 300) * rateHz) / 1000 });
      track.complete();
      play(track);
      expect(playout.remainingMs()).toBe(soundMs + 100);
      expect(playout.untilHeardMs(track.sampleOf(11))).toBe(soundMs + 100);
      clock.advance(2000);
      expect(log.at(-1)).toBe(`drained turn-1 "hello there"@${soundMs + 100}`);
    });

    it("is played as far as it was sent before it was known to be the end", () => {
      const { play, pump, clock, frames, log } = rig();
      const track = new Track();
      track.write(silentEnd(800));
      play(track);
      clock.advance(600);
      const sentMs = frames.length * 20;
      expect(sentMs).toBeGreaterThan(soundMs + 200);
      track.complete();
      pump();
      clock.advance(2000);
      expect(frames.length * 20).toBe(sentMs + 100);
      expect(log.at(-1)).toBe(`drained turn-1 ""@${sentMs + 100}`);
    });

    it("is played where more sound follows, and where there was none before it", () => {
      const { play, clock, log } = rig();
      const track = new Track();
      track.write(silentEnd(800));
      track.write(silentEnd(0));
      track.complete();
      play(track, "turn-1");
      clock.advance(5000);
      expect(log.at(-1)).toBe(`drained turn-1 ""@${2 * soundMs + 800}`);
      const silent = new Track();
      silent.write(new Int16Array(rateHz));
      silent.complete();
      play(silent, "turn-2");
      clock.advance(5000);
      expect(log.at(-1)).toBe('drained turn-2 ""@6000');
    });
  });

  it("[PLAY-4] reports the end when the last sample was heard, not when it was sent", () => {
    const { play, clock, log } = rig();
    play(completeTrack(100));
    clock.advance(99);
    expect(log).toEqual(["audible turn-1@0"]);
    clock.advance(1);
    expect(log.at(-1)).toBe('drained turn-1 "hello there"@100');
  });

  it("tells the peer with the last frame, and only then, that no more will come", () => {
    const { play, pump, clock, ends } = rig();
    const track = new Track();
    track.write(tone(90));
    play(track);
    clock.advance(50);
    expect(ends).toEqual([]);
    track.complete();
    pump();
    expect(ends).toEqual([5]);
  });

  it("reports the end at once for a reply without audio", () => {
    const { play, pump, log } = rig();
    const track = new Track();
    play(track);
    track.complete();
    pump();
    expect(log).toEqual(['drained turn-1 ""@0']);
  });

  describe("with a peer that keeps 200 ms before they are heard", () => {
    const bufferMs = 200;

    /** Ten words of 100 ms each. */
    function countedTrack(): Track {
      const track = new Track();
      const text = "one two three four five six seven eight nine ten";
      track.beginText(text);
      let end = 0;
      for (const [index, word] of text.split(" ").entries()) {
        end += word.length + (index === 0 ? 0 : 1);
        track.mark({ textEnd: end, endSample: ((index + 1) * 100 * rateHz) / 1000 });
      }
      track.write(tone(1000));
      track.complete();
      return track;
    }

    it("[PLAY-7a] cuts at the word that was heard, not at the one that was sent", () => {
      const { play, playout, clock } = rig(bufferMs);
      play(countedTrack());
      clock.advance(600);
      expect(playout.heardMs()).toBe(400);
      expect(playout.stop("ended")).toBe("one two three four");
    });

    it("[PLAY-7a] goes on after a false interruption with the sample that was heard last", () => {
      const { play, playout, clock, frames } = rig(bufferMs);
      play(countedTrack());
      clock.advance(600);
      playout.hold("speech");
      const sentBefore = frames.length;
      clock.advance(1000);
      playout.resume();
      expect(frames[sentBefore]).toMatchObject({ first: 20 }); // the frame at 400 ms
      expect(playout.heardMs()).toBe(400);
    });

    it("[PLAY-7b] reports the end when the last sample has left the peer's buffer", () => {
      const { play, clock, log } = rig(bufferMs);
      play(completeTrack(100));
      clock.advance(299);
      expect(log).toEqual(["audible turn-1@0"]);
      clock.advance(1);
      expect(log.at(-1)).toBe('drained turn-1 "hello there"@300');
    });

    it("[PLAY-7b] reports the end at once for a reply without audio", () => {
      const { play, pump, log } = rig(bufferMs);
      const track = new Track();
      play(track);
      track.complete();
      pump();
      expect(log).toEqual(['drained turn-1 ""@0']);
    });

    it("[PLAY-7c] never takes back what was heard, though audio that comes late is heard later", () => {
      const { play, playout, clock, pump } = rig(bufferMs);
      const track = new Track();
      track.write(tone(300));
      play(track);
      clock.advance(450);
      const before = playout.heardMs();
      expect(before).toBe(250);
      track.write(tone(300, 15));
      pump();
      expect(playout.heardMs()).toBe(before);
      clock.advance(200);
      expect(playout.heardMs()).toBeGreaterThan(before);
    });
  });

  it("[PLAY-3] knows what was heard to the millisecond", () => {
    const { play, playout, clock } = rig();
    play(completeTrack(1000));
    clock.advance(333);
    expect(playout.heardMs()).toBe(333);
    expect(playout.remainingMs()).toBe(667);
  });

  it("[PLAY-5] starts the clock anew after a gap, without a burst", () => {
    const { play, pump, clock, frames } = rig();
    const track = new Track();
    track.write(tone(100));
    play(track);
    clock.advance(1000);
    track.write(tone(1000, 5));
    pump();
    const late = frames.filter(({ atMs }) => atMs === 1000);
    expect(late).toHaveLength(leadMs / 20);
  });

  it("[FAIL-3] reports a track whose audio stops coming", () => {
    const { play, clock, log } = rig();
    const track = new Track();
    track.write(tone(100));
    play(track);
    clock.advance(100 + stallMs);
    expect(log.some((line) => line.startsWith("stalled"))).toBe(false);
    clock.advance(20);
    expect(log).toContain(`stalled turn-1@${100 + stallMs + 10}`);
  });

  it("[FAIL-3] reports it once for every 5 s without audio where the track goes on", () => {
    const { play, clock, log } = rig(0, { endsWhatStalls: false });
    const track = new Track();
    track.write(tone(100));
    play(track);
    clock.advance(100 + 3 * stallMs + 100);
    track.write(tone(1000));
    clock.advance(stallMs);
    expect(log.filter((line) => line.startsWith("stalled"))).toHaveLength(3);
  });

  it("[BARGE-1] [BARGE-3a] stops the peer when held and goes on from what was heard", () => {
    const { play, playout, clock, frames, log } = rig();
    play(completeTrack(1000));
    clock.advance(300);
    playout.hold("speech");
    expect(log.at(-1)).toBe("stop@300");
    const sentBefore = frames.length;
    clock.advance(500);
    expect(frames).toHaveLength(sentBefore);
    playout.resume();
    expect(frames[sentBefore]).toEqual({ atMs: 800, first: 15 });
    expect(playout.heardMs()).toBe(300);
  });

  it("[FAIL-3] does not take its own pause for late audio", () => {
    const { play, playout, clock, log } = rig();
    const track = new Track();
    track.write(tone(100));
    play(track);
    clock.advance(100);
    playout.hold("speech");
    clock.advance(stallMs + 1000);
    playout.resume();
    clock.advance(stallMs - 100);
    expect(log.filter((line) => line.startsWith("stalled"))).toEqual([]);
  });

  it("[CTRL-1] plays nothing while paused, not even a new reply, and goes on from what was heard", () => {
    const { play, playout, clock, frames, log } = rig();
    play(completeTrack(1000));
    clock.advance(300);
    playout.setPaused(true);
    expect(log.at(-1)).toBe("stop@300");
    const sent = frames.length;
    playout.hold("speech");
    playout.resume();
    clock.advance(500);
    expect(frames).toHaveLength(sent);
    playout.setPaused(false);
    expect(frames[sent]).toEqual({ atMs: 800, first: 15 });
    playout.setPaused(true);
    play(completeTrack(500), "turn-2");
    clock.advance(500);
    expect(log.some((line) => line.startsWith("audible turn-2"))).toBe(false);
    playout.setPaused(false);
    expect(log.at(-1)).toBe("audible turn-2@1300");
  });

  it("keeps everybody's clock going when one session's playout breaks", () => {
    const clock = new VirtualClock();
    const ticker = new PlayoutTicker(clock, silentLogger);
    let pumps = 0;
    ticker.add({
      isActive: true,
      pump: () => {
        throw new Error("broken");
      },
    });
    ticker.add({ isActive: true, pump: () => pumps++ });
    ticker.wake();
    clock.advance(100);
    expect(pumps).toBe(10);
  });

  it("[BARGE-1] tells the peer to stop although all that was sent should have been heard", () => {
    const { play, playout, clock, log } = rig();
    const track = new Track();
    track.write(tone(100));
    play(track);
    clock.advance(150); // more is being made
    playout.hold("speech");
    expect(log.at(-1)).toBe("stop@150");
  });

  it("[BARGE-5] sends nothing after a stop, and tells the peer to drop what it holds", () => {
    const { play, playout, clock, frames, log } = rig();
    const track = completeTrack(1000);
    play(track);
    clock.advance(300);
    playout.stop("ended");
    const sent = frames.length;
    track.write(tone(1000));
    playout.pump();
    clock.advance(2000);
    expect(frames).toHaveLength(sent);
    expect(log.at(-1)).toBe("stop@300");
  });

  it("[PLAY-9] says where a reply pauses, once, in time for what waits to be heard without a gap", () => {
    const { play, pump, clock, ends } = rig();
    const track = new Track();
    track.write(tone(500));
    play(track);
    // The last frame leaves at about 290 ms.
    clock.advance(370);
    expect(ends).toEqual([]);
    clock.advance(50);
    expect(ends).toEqual([25]);
    clock.advance(1000);
    track.write(tone(40));
    pump();
    clock.advance(1000);
    expect(ends).toEqual([25, 27]);
  });

  it("[PLAY-9] says that a reply is over although the model says so only when all of it was sent", () => {
    const { play, pump, clock, ends } = rig();
    const track = new Track();
    track.write(tone(60));
    play(track);
    clock.advance(10);
    expect(ends).toEqual([]);
    track.complete();
    pump();
    expect(ends).toEqual([3]);
    clock.advance(1000);
    expect(ends).toEqual([3]);
  });

  it("[HIST-2] gives the words that were heard to their end", () => {
    const { play, playout, clock } = rig();
    const track = new Track();
    track.beginText("one two three");
    track.write(tone(900));
    for (const [index, textEnd] of [3, 7, 13].entries()) track.mark({ textEnd, endSample: (index + 1) * 4800 });
    play(track);
    clock.advance(599);
    expect(playout.heardText()).toBe("one");
    clock.advance(1);
    expect(playout.stop("ended")).toBe("one two");
  });
});

describe("track", () => {
  it("reads across chunks and forgets only whole chunks that nobody needs", () => {
    const track = new Track();
    track.write(Int16Array.of(0, 1, 2));
    track.write(Int16Array.of(3, 4));
    track.write(Int16Array.of(5, 6, 7));
    track.forgetBefore(4);
    const target = new Int16Array(4);
    expect(track.read(3, target)).toBe(4);
    expect([...target]).toEqual([3, 4, 5, 6]);
    expect(track.read(6, target)).toBe(2);
  });
});
