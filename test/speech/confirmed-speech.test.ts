/** What the session's parts make of music, and of people: with the model that confirms speech, on real audio. */
import { beforeAll, describe, expect, it } from "vitest";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import { packOf } from "@voice/shared/languages/packs";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { Listener } from "@voice/streaming-host/pipeline/listening/listener";
import { createVoicemailListener } from "@voice/streaming-host/session/voicemail/voicemail-listener";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { testRetry } from "@voice/streaming-host/testing/cascade-parts";
import { holdMusic, pieceNames } from "../support/hold-music.ts";
import { allRecordings, peoplesRecording } from "../support/people.ts";

const rateHz = 16_000;
const frameSamples = rateHz / 50;
const musicSeconds = 8;

/** A piece takes longer to compose than to hear. */
const composed = new Map<string, Int16Array>();
function pieceOf(name: string): Int16Array {
  const music = composed.get(name) ?? holdMusic(name, musicSeconds);
  composed.set(name, music);
  return music;
}

let alone: CreateVoiceActivityDetector;
let confirmed: CreateVoiceActivityDetector;
beforeAll(async () => {
  alone = await loadVoiceActivity();
  confirmed = await loadVoiceActivity(await loadSpeechModel());
});

interface Heard {
  readonly type: "started" | "stopped";
  readonly atMs: number;
}

/** A session's own listener hears the audio in frames. */
function listenTo(audio: Int16Array, createVoiceActivityDetector: CreateVoiceActivityDetector): readonly Heard[] {
  const clock = new VirtualClock();
  const heard: Heard[] = [];
  let atMs = 0;
  const listener = new Listener(
    {
      inputRateHz: rateHz,
      recogniser: new FakeRecogniser(),
      createVoiceActivityDetector,
      sensitivity: "medium",
      language: "en-US",
      candidateLanguages: [],
      segmentationSilenceMs: 500,
      hints: { examples: [], phrases: [] },
      retry: testRetry,
      clock,
      logger: silentLogger,
      random: () => 0.5,
      probe: (onAnswered) => onAnswered(),
    },
    {
      onSpeechStarted: () => heard.push({ type: "started", atMs }),
      onSpeechStopped: () => heard.push({ type: "stopped", atMs }),
      onPartial: () => undefined,
      onFinal: () => undefined,
      onRecogniserLost: () => undefined,
    },
  );
  for (let at = 0; at + frameSamples <= audio.length; at += frameSamples) {
    atMs += 20;
    listener.write(audio.slice(at, at + frameSamples));
  }
  listener.close();
  return heard;
}

const startsIn = (heard: readonly Heard[]): readonly number[] =>
  heard.flatMap(({ type, atMs }) => (type === "started" ? [atMs] : []));

function joined(...parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const quiet = (seconds: number): Int16Array => new Int16Array(seconds * rateHz);
const throughTelephone = (audio: Int16Array): Int16Array =>
  resampleAll(decodeMulaw(encodeMulaw(resampleAll(audio, rateHz, 8000))), 8000, rateHz);

describe("speech that a model confirms", () => {
  it.each(pieceNames.filter((name) => name !== "saxophone"))("[SPEECH-21] has not begun in hold music: %s", (name) => {
    const music = pieceOf(name);
    expect(startsIn(listenTo(music, alone))).not.toEqual([]);
    expect(startsIn(listenTo(music, confirmed))).toEqual([]);
    // A first note out of silence may be taken for a word.
    expect(startsIn(listenTo(throughTelephone(music), confirmed)).filter((atMs) => atMs > 500)).toEqual([]);
  });

  it("[SPEECH-21] is seldom what a saxophone plays, and never for long", () => {
    const heard = listenTo(pieceOf("saxophone"), confirmed);
    const lengths = heard.flatMap(({ type, atMs }, at) =>
      type === "started" ? [(heard[at + 1]?.atMs ?? musicSeconds * 1000) - atMs] : [],
    );
    expect(lengths.length).toBeLessThanOrEqual(3);
    expect(Math.max(0, ...lengths)).toBeLessThan(2000);
  });

  it("[SPEECH-22] ends soon after the caller, although music goes on", async () => {
    const speech = await peoplesRecording("not-an-ill-disposed-young-man");
    const spoken = speech.subarray(0, lastLoud(speech));
    const line = joined(quiet(1), spoken, pieceOf("band"));
    const endMs = 1000 + (spoken.length / rateHz) * 1000;
    const lastEnd = (heard: readonly Heard[]): number =>
      heard.findLast(({ type }) => type === "stopped")?.atMs ?? Infinity;
    expect(lastEnd(listenTo(line, alone))).toBeGreaterThan(endMs + 2000);
    const heard = listenTo(line, confirmed);
    expect(startsIn(heard)[0]).toBeLessThan(1500);
    expect(lastEnd(heard)).toBeLessThan(endMs + 1200);
  });

  it("[SPEECH-22] has not begun again 3 s after the caller, although the music has pauses", async () => {
    const line = joined(quiet(1), await peoplesRecording("ten-of-clubs"), pieceOf("piano"));
    const musicMs = ((line.length - musicSeconds * rateHz) / rateHz) * 1000;
    const heard = listenTo(line, confirmed);
    expect(startsIn(heard)[0]).toBeLessThan(1500);
    expect(startsIn(heard).filter((atMs) => atMs > musicMs + 3500)).toEqual([]);
  });

  it("[SPEECH-23] begins as soon as without the model when people speak, also on a telephone", async () => {
    for (const speech of await allRecordings()) {
      for (const line of [joined(quiet(1), speech), throughTelephone(joined(quiet(1), speech))]) {
        const [first = Infinity] = startsIn(listenTo(line, alone));
        expect(startsIn(listenTo(line, confirmed))[0]).toBeLessThanOrEqual(first + 60);
      }
    }
  });

  it("[SPEECH-24] is not what music says to somebody who waits for a person to answer", async () => {
    const speech = await peoplesRecording("dark-roast-iced-coffee");
    const talk = (audio: Int16Array, createVoiceActivityDetector: CreateVoiceActivityDetector) => {
      const listener = createVoicemailListener(
        {
          isFound: false,
          phrases: packOf("en"),
          inputRateHz: rateHz,
          createVoiceActivityDetector,
          sensitivity: "medium",
        },
        () => undefined,
      );
      for (let at = 0; at + frameSamples <= audio.length; at += frameSamples)
        listener.hear(audio.slice(at, at + frameSamples));
      const { talkMs, hasSpoken } = listener;
      listener.stop();
      return { talkMs, hasSpoken };
    };
    expect(talk(pieceOf("band"), alone).hasSpoken).toBe(true);
    expect(talk(pieceOf("band"), confirmed)).toEqual({ talkMs: 0, hasSpoken: false });
    expect(talk(joined(quiet(1), speech), confirmed).hasSpoken).toBe(true);
  });
});

/** Where the last 20 ms end that are not far softer than the loudest. */
function lastLoud(speech: Int16Array): number {
  const loudest = speech.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return speech.findLastIndex((sample) => Math.abs(sample) > loudest / 10);
}
