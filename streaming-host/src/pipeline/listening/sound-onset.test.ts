import { describe, expect, it } from "vitest";
import { SoundOnset } from "./sound-onset.ts";

const db = (level: number): number => 10 ** (level / 20);

/** The agent speaks for `agentFrames`, then the line has these levels in dBFS. Frame numbers at which an onset was noticed. */
function onsets(levels: readonly number[], { line = -65, agentFrames = 100, agentsSilence = 0 } = {}): number[] {
  const onset = new SoundOnset();
  let frame = 0;
  const hear = (level: number, agent: number): number | undefined => {
    const nowMs = 20 * frame++;
    onset.agentSays(db(agent), nowMs);
    return onset.push(db(level), nowMs);
  };
  for (let count = 0; count < 60; count++) hear(line, -90);
  for (let count = 0; count < agentFrames; count++) hear(line, -20);
  for (let count = 0; count < agentsSilence; count++) hear(line, -90);
  return levels.flatMap((level, at) => (hear(level, -20) === undefined ? [] : [at]));
}

const sound = (frames: number, level = -35): number[] => Array.from({ length: frames }, () => level);

describe("onset of a sound", () => {
  it("[BARGE-11a] is noticed with its third frame", () => {
    expect(onsets(sound(3))).toEqual([2]);
    expect(onsets([-65, -65, ...sound(8)])[0]).toBe(4);
  });

  it("[BARGE-11a] is noticed over noise, where it is 10 dB louder than that", () => {
    expect(onsets(sound(3, -35), { line: -46 })).toEqual([2]);
    expect(onsets(sound(20, -35), { line: -44 })).toEqual([]);
  });

  it("[BARGE-11a] is no click, and nothing faint", () => {
    expect(onsets([-20, -20, -65, -65, -20, -20, -65, -65])).toEqual([]);
    expect(onsets(sound(50, -47))).toEqual([]);
  });

  it("[BARGE-11c] is noticed only where the agent has been audible for long enough that its echo would have been heard", () => {
    expect(onsets(sound(30), { agentFrames: 20 })).toEqual([]);
    expect(onsets(sound(3), { agentFrames: 68 })).toEqual([2]);
    expect(onsets(sound(30), { agentsSilence: 60 })).toEqual([]);
    expect(onsets(sound(3), { agentsSilence: 20 })).toEqual([2]);
  });

  it("[BARGE-11a] is noticed once in a second, however long the sound lasts and where it comes in bursts", () => {
    expect(onsets([...sound(40), ...sound(4, -65), ...sound(40)])).toHaveLength(2);
    expect(onsets([...sound(3), ...sound(30, -65), ...sound(3), ...sound(30, -65), ...sound(3)])).toEqual([2]);
    expect(onsets([...sound(3), ...sound(60, -65), ...sound(3)])).toEqual([2, 65]);
  });
});
