/**
 * How long turns take. On providers that answer at once: what the service itself adds, with 40 calls whose frames go both
 * ways all the time, beside what a bare echo takes in the same arrangement. On the local providers: what a caller feels.
 * Run with `npm run bench`; bounded to about a minute.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { connectCaller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { startTestHost } from "../support/test-host.ts";
import { marks, markSign } from "./instant-providers.ts";
import { connectLines } from "./paced-line.ts";
import type { PacedLine } from "./paced-line.ts";
import { percentile, summary } from "./percentiles.ts";
import { startServer } from "./server-process.ts";
import { callerFrame, spokenFrame } from "./wire-frames.ts";

const callCount = 40;
const rounds = 8;
/** Not counted: a host that has been up for a minute has compiled what it runs. */
const warmUpRounds = 4;
const shares = [0.5, 0.95, 0.99];

const audio = '"Kind":"AudioData"';
const stopAudio = '"Kind":"StopAudio"';
const question = spokenFrame(marks.question, markSign);
const interruption = spokenFrame(marks.interruption, markSign);
const nothingMore = spokenFrame(marks.nothing, markSign);

/** The calls hold their turns at different moments. `turn` is told whether what it measures counts. */
async function onAllLines(
  lines: readonly PacedLine[],
  turn: (line: PacedLine, counts: boolean) => Promise<void>,
): Promise<void> {
  await Promise.all(
    lines.map(async (line, index) => {
      await sleep(index * 37);
      for (let round = 0; round < warmUpRounds + rounds; round++) await turn(line, round >= warmUpRounds);
    }),
  );
  for (const line of lines) line.close();
}

/** A frame there and back. */
async function measureFloor(): Promise<number[]> {
  const server = await startServer("echo");
  const url = `ws://127.0.0.1:${server.port}/`;
  const lines = await connectLines(Array<string>(callCount).fill(url), audio);
  const echoed = '"kind":"StopAudio"'; // told from the echoes of all the other frames
  const times: number[] = [];
  await onAllLines(lines, async (line, counts) => {
    const ms = await line.timeTo(echoed, callerFrame(undefined, "StopAudio"));
    if (counts) times.push(ms);
    await sleep(200);
  });
  server.stop();
  return times;
}

async function measureTurns(): Promise<{ firstAudio: number[]; stops: number[]; lateFrames: number }> {
  const server = await startServer("turns");
  const lines = await connectLines(
    Array.from(
      { length: callCount },
      (_, index) => `ws://127.0.0.1:${server.port}/api/v1/media/stream?call_connection_id=bench-${index}`,
    ),
    audio,
  );
  await sleep(6000); // the greetings
  const firstAudio: number[] = [];
  const stops: number[] = [];
  let lateFrames = 0;
  await onAllLines(lines, async (line, counts) => {
    line.send('{"kind":"StopAudio"}'); // the turn ends with its final, so that no silence is waited for
    await sleep(50);
    const answeredMs = await line.timeTo(audio, question);
    await sleep(400);
    const stoppedMs = await line.timeTo(stopAudio, interruption);
    line.count();
    if (counts) {
      firstAudio.push(answeredMs);
      stops.push(stoppedMs);
    }
    await sleep(200);
    lateFrames += line.count();
    line.send(nothingMore);
    await sleep(850); // a turn every second and a half and as many interruptions: still several times what people do
  });
  server.stop();
  return { firstAudio, stops, lateFrames };
}

async function onInstantProviders(): Promise<void> {
  const floor = await measureFloor();
  const { firstAudio, stops, lateFrames } = await measureTurns();
  const ratio = (times: readonly number[]): string => (percentile(times, 0.5) / percentile(floor, 0.5)).toFixed(1);
  console.log(`instant providers, ${callCount} calls in real time`);
  console.log(`  floor: a frame there and back        ${summary(floor, shares)}`);
  console.log(
    `  frame with the last word -> audio    ${summary(firstAudio, shares)}, ${ratio(firstAudio)} x the floor`,
  );
  console.log(`  frame that interrupts -> StopAudio   ${summary(stops, shares)}, ${ratio(stops)} x the floor`);
  console.log(`  audio frames after StopAudio         ${lateFrames}`);
}

async function onLocalProviders(): Promise<void> {
  const [recogniser, synthesiser, createVoiceActivityDetector] = await Promise.all([
    createLocalRecogniser({ warmDecoders: 1 }),
    createLocalSynthesiser(),
    loadVoiceActivity(),
  ]);
  const languageModel = createRuleModel({ clock: systemClock });
  await using host = await startTestHost({
    settings: { AGENT_SCENARIO: "banking" },
    providers: { recogniser, synthesiser, createVoiceActivityDetector, languageModel },
  });
  const url = new URL(host.url("/api/v1/browser/conversation"));
  const speak = (text: string) => speakText(synthesiser, { text, voice: "slt", sampleRateHz: 16_000 });
  const [request, backchannel] = await Promise.all([speak("I want to check my balance"), speak("uh huh")]);
  const firstAudio: number[] = [];
  const resumed: number[] = [];
  for (let round = 0; round < 4; round++) {
    using caller = await connectCaller({ url });
    await caller.waitForAgentAudio();
    await caller.pause(800);
    const { stoppedMs } = await caller.speak(backchannel);
    await caller.pause(1000);
    for (const record of caller.records)
      if (
        record.kind === "message" &&
        record.message.type === "event" &&
        record.message.payload.name === "false_interruption"
      )
        resumed.push(record.atMs - stoppedMs);
    await caller.waitForReply();
    await caller.speak(request);
    firstAudio.push((await caller.waitForReply({ quietMs: 300 })).firstAudioMs ?? Number.NaN);
  }
  console.log("local providers, one caller");
  console.log(`  user stopped -> first audio          ${summary(firstAudio, [0.5, 0.95])}`);
  console.log(`  backchannel over -> playout resumed  ${summary(resumed, [0.5, 0.95])}`);
}

await onInstantProviders();
await onLocalProviders();
