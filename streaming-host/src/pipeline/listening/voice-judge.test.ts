import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { VoiceJudge } from "./voice-judge.ts";

/** Frame number n is full of n, so that what the model hears tells which frames it was given. */
function rig(judge: VoiceEndOfTurnModel["judge"] = () => Promise.resolve(0.7)) {
  const heard: Int16Array[] = [];
  const judged: [number, number][] = [];
  const warnings: string[] = [];
  const model: VoiceEndOfTurnModel = {
    judge(samples, signal) {
      heard.push(samples);
      return judge(samples, signal);
    },
    close: () => Promise.resolve(),
  };
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
  const onJudged = (stoppedMs: number, probability: number) => void judged.push([stoppedMs, probability]);
  const judgeOfVoice = new VoiceJudge(model, onJudged, logger);
  let frames = 0;
  const hear = (count: number, agentIsAudible = false): void => {
    for (let frame = 0; frame < count; frame++) judgeOfVoice.push(new Int16Array(320).fill(frames++), agentIsAudible);
  };
  const speak = (count: number): void => {
    hear(6);
    judgeOfVoice.speechStarted(6);
    hear(count - 6);
    hear(8);
    judgeOfVoice.speechStopped(frames * 20);
  };
  return { heard, judged, warnings, judgeOfVoice, hear, speak };
}

const framesOf = (samples: Int16Array | undefined): [number, number] => [
  samples?.at(0) ?? -1,
  (samples?.length ?? 0) / 320,
];

describe("judge of the voice", () => {
  it("[TURN-17a] is given the turn with half a second before it, and the pause", async () => {
    const { heard, judged, hear, speak } = rig();
    hear(100);
    speak(50);
    await Promise.resolve();
    await Promise.resolve();
    expect(framesOf(heard[0])).toEqual([75, 25 + 50 + 8]);
    expect(judged).toEqual([[158 * 20, 0.7]]);
  });

  it("[TURN-17a] is given what came before a pause too, unless the agent has spoken or 3 s have passed", () => {
    const { heard, hear, speak } = rig();
    hear(100);
    speak(50);
    hear(30);
    speak(50);
    expect(framesOf(heard[1])).toEqual([75, 25 + 58 + 30 + 58]);
    hear(30, true);
    speak(20);
    expect(framesOf(heard[2])).toEqual([100 + 58 + 30 + 58 + 30 - 25, 25 + 28]);
    hear(151);
    speak(20);
    expect(framesOf(heard[3])).toEqual([276 + 28 + 151 - 25, 25 + 28]);
  });

  it("[TURN-17a] is given the newest 8 s of a long turn, in order", () => {
    const { heard, speak } = rig();
    speak(700);
    const [turn] = heard;
    expect(framesOf(turn)).toEqual([708 - 400, 400]);
    expect(Array.from({ length: 400 }, (_, at) => turn?.[at * 320])).toEqual(
      Array.from({ length: 400 }, (_, at) => 308 + at),
    );
  });

  it("[TURN-17b] says nothing of a pause after which the caller has gone on", async () => {
    const late = Promise.withResolvers<number>();
    const { judged, judgeOfVoice, speak } = rig(() => late.promise);
    speak(50);
    judgeOfVoice.speechStarted(0);
    late.resolve(0.9);
    await late.promise;
    await Promise.resolve();
    expect(judged).toEqual([]);
  });

  it("[TURN-17c] says once that the model fails, and goes on without it", async () => {
    const { judged, warnings, speak } = rig(() => Promise.reject(new VoiceError("upstream_unavailable", "broken")));
    speak(50);
    await new Promise(setImmediate);
    speak(50);
    await new Promise(setImmediate);
    expect(judged).toEqual([]);
    expect(warnings).toEqual(["the end-of-turn model failed; turns end by their words"]);
  });
});
