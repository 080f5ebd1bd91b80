/**
 * `node test/bench/voice-activity.ts [DIR] [recordings]`: what the detector of speech makes of sounds in which nobody speaks, and when it
 * sees that somebody begins and has finished, with the model that confirms it and without. DIR holds recordings of people
 * (`npm run bench:hearing -- --people DIR` says which).
 */
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { silentLogger } from "@voice/shared/platform/logger";
import { SpeechDetector } from "@voice/streaming-host/pipeline/listening/speech-detector";
import { toSample, withNoise } from "../../local/person/noise.ts";
import { hearingRateHz, ownCaller } from "./hearing/callers.ts";
import { readCommands } from "./hearing/people/commands.ts";
import { readRecording } from "./hearing/people/recordings.ts";
import { percentile } from "./percentiles.ts";
import { holdMusic, pieceNames } from "../support/hold-music.ts";

const [people, recordings = "40"] = process.argv.slice(2);
const frameMs = 20;
const frameSamples = (hearingRateHz * frameMs) / 1000;
const musicSeconds = 12;
const leadMs = 2000;
const trailMs = 3000;

const detectors: Readonly<Record<string, CreateVoiceActivityDetector>> = {
  "the cheap detector alone": await loadVoiceActivity(),
  "confirmed by the model": await loadVoiceActivity(await loadSpeechModel()),
};

interface Run {
  readonly share: number;
  /** In ms of the audio. */
  readonly starts: readonly number[];
  readonly stops: readonly number[];
  readonly cpuMs: number;
}

function run(create: CreateVoiceActivityDetector, audio: Int16Array): Run {
  const detector = create({ sampleRateHz: hearingRateHz, sensitivity: "medium" });
  const speech = new SpeechDetector("medium");
  const [starts, stops]: [number[], number[]] = [[], []];
  let speechFrames = 0;
  const frames = Math.floor(audio.length / frameSamples);
  const before = process.cpuUsage();
  for (let frame = 0; frame < frames; frame++) {
    const isSpeech = detector.isSpeech(audio.subarray(frame * frameSamples, (frame + 1) * frameSamples));
    if (isSpeech) speechFrames += 1;
    const change = speech.push(isSpeech, false);
    if (change?.type === "started") starts.push((frame + 1) * frameMs);
    if (change?.type === "stopped") stops.push((frame + 1) * frameMs);
  }
  const { user, system } = process.cpuUsage(before);
  detector.close();
  return { share: speechFrames / frames, starts, stops, cpuMs: (user + system) / 1000 };
}

/** Where the speech of a clean recording begins and ends: 26 dB below its loudest 100 ms, for 60 ms. */
function extentOf(speech: Int16Array): readonly [startMs: number, endMs: number] {
  const levels = Array.from({ length: Math.floor(speech.length / frameSamples) }, (_, at) =>
    rmsLevel(speech.subarray(at * frameSamples, (at + 1) * frameSamples)),
  );
  const around = (at: number): number => levels.slice(at, at + 5).reduce((sum, level) => sum + level, 0) / 5;
  const limit = Math.max(...levels.map((_, at) => around(at))) * 10 ** (-26 / 20);
  const isLoud = (at: number): boolean => levels.slice(at, at + 3).every((level) => level >= limit);
  const first = levels.findIndex((_, at) => isLoud(at));
  const last = levels.findLastIndex((_, at) => at <= levels.length - 3 && isLoud(at)) + 3;
  return [first * frameMs, last * frameMs];
}

function padded(speech: Int16Array): Int16Array {
  const lead = (leadMs * hearingRateHz) / 1000;
  const line = new Int16Array(lead + speech.length + (trailMs * hearingRateHz) / 1000);
  line.set(speech, lead);
  return line;
}

const seconds = (count: number, sampleAt: (at: number) => number): Int16Array =>
  Int16Array.from({ length: count * hearingRateHz }, (_, at) => toSample(sampleAt(at)));

/** An engine: noise without high frequencies, and its own hum. */
function car(count: number): Int16Array {
  let low = 0;
  return seconds(count, (at) => {
    low += 0.02 * (whiteNoise(at) - low);
    return 14_000 * low + 500 * Math.sin((2 * Math.PI * 85 * at) / hearingRateHz) + 60 * whiteNoise(at + 1);
  });
}

/** A keyboard beside the telephone: two clicks of 10 ms for each key, 4 to 8 keys a second. */
function keyClicks(count: number): Int16Array {
  return seconds(count, (at) => {
    const key = Math.floor((at / hearingRateHz) * 6 + 0.4 * whiteNoise(Math.floor((at / hearingRateHz) * 6)));
    const into = at - (key * hearingRateHz) / 6;
    const click = (start: number): number => (into >= start && into < start + 600 ? Math.exp(-(into - start) / 60) : 0);
    return 9000 * (click(0) + 0.6 * click(1300)) * whiteNoise(at) + 15 * whiteNoise(at + 7);
  });
}

const synthesiser = await createLocalSynthesiser({ logger: silentLogger });
const voices = ["rms", "slt", "awb"].map((voice) => ownCaller(synthesiser, voice));
const speakAll = (texts: readonly string[]): Promise<Int16Array[]> =>
  Promise.all(
    texts.map((text, at) => voices[at % voices.length]?.speak(text) ?? Promise.reject(new Error("no voice"))),
  );
const talkers = await speakAll([
  "the quick brown fox jumps over the lazy dog and runs away into the forest",
  "we should have left an hour earlier to be home before the storm",
  "she sells sea shells by the shore while the others watch the boats",
  "nobody told me that the meeting had been moved to another building",
  "bring some bread and butter and a dozen eggs when you come back",
  "the first train was late and the second one did not stop here at all",
]);
const spoken = await speakAll([
  "I would like to check the balance of my savings account",
  "no",
  "can you send me a new card please",
  "yes that is right",
  "somebody used my card in a shop that I have never been to",
  "four four one two",
  "could you repeat that",
  "my flight was delayed and I missed the connection in Frankfurt",
  "tomorrow morning at nine",
  "how much is the fee for a transfer to Canada",
  "I want to talk to a person",
  "thanks that is all goodbye",
]);
await synthesiser.close();
const babbleLength = Math.max(...talkers.map(({ length }) => length));
const babble = Float64Array.from({ length: babbleLength }, (_, at) =>
  talkers.reduce((sum, talker) => sum + (talker[at % talker.length] ?? 0), 0),
);
const babbleAt = (at: number): number => babble[at % babbleLength] ?? 0;

const band = holdMusic("band", musicSeconds);

const sounds: Readonly<Record<string, Int16Array>> = {
  ...Object.fromEntries(pieceNames.map((name) => [`music: ${name}`, holdMusic(name, musicSeconds)])),
  "music through a telephone": decodedTelephone(band),
  "white noise, -28 dBFS": seconds(musicSeconds, (at) => 2260 * whiteNoise(at)),
  car: car(musicSeconds),
  "key clicks": keyClicks(musicSeconds),
};

function decodedTelephone(audio: Int16Array): Int16Array {
  return resampleAll(decodeMulaw(encodeMulaw(resampleAll(audio, hearingRateHz, 8000))), 8000, hearingRateHz);
}

const lines: Readonly<Record<string, (speech: Int16Array) => Int16Array>> = {
  clean: padded,
  telephone: (speech) => decodedTelephone(padded(speech)),
  "white 10 dB": (speech) => withNoise(padded(speech), whiteNoise, { speech, snrDb: 10 }),
  "babble 20 dB": (speech) => withNoise(padded(speech), babbleAt, { speech, snrDb: 20 }),
  "babble 10 dB": (speech) => withNoise(padded(speech), babbleAt, { speech, snrDb: 10 }),
  "music 15 dB": (speech) => withNoise(padded(speech), (at) => band[at % band.length] ?? 0, { speech, snrDb: 15 }),
};

const speakers: Readonly<Record<string, readonly Int16Array[]>> = {
  synthesisers: spoken,
  ...(people === undefined
    ? {}
    : {
        people: await Promise.all(
          (await readCommands(people)).slice(0, Number(recordings)).map(({ path }) => readRecording(path)),
        ),
      }),
};

for (const [name, create] of Object.entries(detectors)) {
  console.log(
    `\n**${name}**\n\n| nobody speaks, ${musicSeconds} s | frames taken for speech | false starts | ms CPU per second |\n| --- | --- | --- | --- |`,
  );
  for (const [sound, audio] of Object.entries(sounds)) {
    const { share, starts, cpuMs } = run(create, audio);
    console.log(
      `| ${sound} | ${(share * 100).toFixed(0)} % | ${starts.length} | ${(cpuMs / musicSeconds).toFixed(2)} |`,
    );
  }
  console.log(
    "\n| line | recordings | missed | false starts | onset, p50 / p90 | end seen after, p50 / p90 | ms CPU per second |\n| --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const [who, all] of Object.entries(speakers))
    for (const [line, carry] of Object.entries(lines)) measure(`${who}, ${line}`, all, carry, create);
}
process.exit(0);

function measure(
  line: string,
  all: readonly Int16Array[],
  carry: (speech: Int16Array) => Int16Array,
  create: CreateVoiceActivityDetector,
): void {
  const counts = { missed: 0, false: 0, cpuMs: 0, audioMs: 0 };
  const [onsets, ends]: [number[], number[]] = [[], []];
  for (const speech of all) {
    const [first, last] = extentOf(speech);
    const [startMs, endMs] = [leadMs + first, leadMs + last];
    const audio = carry(speech);
    const { starts, stops, cpuMs } = run(create, audio);
    const totalMs = (audio.length / hearingRateHz) * 1000;
    // Who is already taken to speak when speech begins does not begin.
    const within = starts.find((at) => at >= startMs - 40 && at <= endMs + 200);
    if (within === undefined) counts.missed += 1;
    else onsets.push(within - startMs);
    counts.false += starts.filter((at) => at < startMs - 40 || at > endMs + 200).length;
    // Where nobody was taken to speak any more at the end, the end was seen before.
    const isOn = starts.filter((at) => at <= endMs).length > stops.filter((at) => at <= endMs).length;
    ends.push(
      (isOn ? (stops.find((at) => at > endMs) ?? totalMs) : (stops.findLast((at) => at <= endMs) ?? endMs)) - endMs,
    );
    counts.cpuMs += cpuMs;
    counts.audioMs += totalMs;
  }
  const range = (values: readonly number[]): string =>
    `${percentile(values, 0.5).toFixed(0)} / ${percentile(values, 0.9).toFixed(0)} ms`;
  console.log(
    `| ${line} | ${all.length} | ${counts.missed} | ${counts.false} | ${range(onsets)} | ${range(ends)} | ${((counts.cpuMs / counts.audioMs) * 1000).toFixed(2)} |`,
  );
}
