import { describe, expect, it } from "vitest";
import { fakeVoice } from "@voice/provider-kit/testing/fake-voice";
import { EchoDetector, echoWindowSamples } from "./echo-detector.ts";
import { RecentAudio } from "./recent-audio.ts";

const frameMs = 20;
const rateHz = 16_000;
const frameSamples = (rateHz * frameMs) / 1000;

/** What is found at each frame from the first 400 ms on. */
function findings(options: {
  readonly agent: Int16Array;
  readonly microphone: (atSample: number) => number;
  readonly agentRateHz?: number;
  readonly startMs?: number;
}): boolean[] {
  const { agent, microphone, agentRateHz = rateHz, startMs = 5000 } = options;
  const line = new RecentAudio(echoWindowSamples);
  const detector = new EchoDetector(line);
  const agentFrame = (agentRateHz * frameMs) / 1000;
  const found: boolean[] = [];
  for (let frame = 0; frame < 100; frame++) {
    const nowMs = startMs + frame * frameMs;
    detector.agentSays(agent.slice(frame * agentFrame, (frame + 1) * agentFrame), agentRateHz, nowMs);
    const heard = Int16Array.from({ length: frameSamples }, (_, index) => microphone(frame * frameSamples + index));
    line.push(heard);
    if (frame >= 40) found.push(detector.isEcho(nowMs + frameMs));
  }
  return found;
}

const agent = fakeVoice(11, 2000);
const caller = fakeVoice(23, 2000);
const echoOf = (samples: Int16Array, gain: number, delayMs: number) => (at: number) =>
  gain * (samples[at - (delayMs * rateHz) / 1000] ?? 0);

describe("echo detector", () => {
  it.each([
    [0.5, 60],
    [0.05, 200],
    [-0.2, 400],
  ])("finds the agent's voice at %f of its loudness, %i ms late", (gain, delayMs) => {
    expect(findings({ agent, microphone: echoOf(agent, gain, delayMs) })).not.toContain(false);
  });

  it("finds it whatever the rate of the agent's audio, and with noise on the line", () => {
    const noise = fakeVoice(5, 2000);
    const echo = echoOf(agent, 0.3, 100);
    const at48 = Int16Array.from({ length: agent.length * 3 }, (_, index) => agent[Math.floor(index / 3)] ?? 0);
    const microphone = (at: number): number => echo(at) + 0.05 * (noise[at] ?? 0);
    expect(findings({ agent: at48, agentRateHz: 48_000, microphone })).not.toContain(false);
  });

  it("takes nobody else for the agent, nor silence", () => {
    expect(findings({ agent, microphone: echoOf(caller, 1, 0) })).not.toContain(true);
    expect(findings({ agent, microphone: () => 0 })).not.toContain(true);
  });

  it("looks for no echo on a line on which no voice could be understood", () => {
    expect(findings({ agent, microphone: echoOf(agent, 0.0005, 100) })).not.toContain(true);
    expect(findings({ agent, microphone: echoOf(agent, 0.005, 100) })).not.toContain(false);
  });

  it("takes no click and no constant for a voice", () => {
    const step = (from: number) => (at: number) => (at > from ? 4000 : 0);
    const stepping = Int16Array.from(agent, (_, at) => step(agent.length / 3)(at));
    expect(findings({ agent: stepping, microphone: step(agent.length / 2) })).not.toContain(true);
  });

  it("hears a caller who is louder than the echo", () => {
    const echo = echoOf(agent, 0.1, 100);
    const overFrom = agent.length / 2;
    const found = findings({ agent, microphone: (at) => echo(at) + (at > overFrom ? 0.5 * (caller[at] ?? 0) : 0) });
    expect(found.slice(0, 10)).not.toContain(false);
    expect(found.slice(25)).not.toContain(true);
  });

  it("expects no echo of an agent that was not heard for long", () => {
    const detector = new EchoDetector(new RecentAudio(echoWindowSamples));
    detector.agentSays(agent.slice(0, frameSamples), rateHz, 1000);
    expect(detector.mayEcho(1600)).toBe(true);
    expect(detector.mayEcho(2000)).toBe(false);
  });
});
