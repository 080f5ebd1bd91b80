import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeMp3, writeSamples, writeWav } from "../testing/audio-files.ts";
import type { WavWriting } from "../testing/audio-files.ts";
import { AudioReader } from "./audio-reader.ts";
import { joinSamples } from "../audio/join-samples.ts";
import { rmsLevel } from "../audio/levels.ts";
import { monoToStereo } from "../audio/channels.ts";

const wantedHz = 16_000;
const amplitude = 9_000;

/** Speech begins with a little silence, too. */
function tone(rateHz: number, seconds = 0.5, frequencyHz = 300): Int16Array {
  const silent = Math.round(rateHz * 0.01);
  return Int16Array.from({ length: Math.round(rateHz * seconds) }, (_, at) =>
    at < silent ? 0 : Math.round(amplitude * Math.sin((2 * Math.PI * frequencyHz * (at - silent)) / rateHz)),
  );
}

interface Sent {
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lengths of the first pieces; the rest comes at once. */
  readonly cuts?: readonly number[];
}

function read(bytes: Uint8Array, { contentType, headers = {}, cuts = [] }: Sent = {}) {
  const pieces: Int16Array[] = [];
  const reader = new AudioReader({
    headers: new Headers({ ...headers, ...(contentType !== undefined && { "content-type": contentType }) }),
    service: "speech synthesis",
    rawRateHz: 24_000,
    sampleRateHz: wantedHz,
    onAudio: (samples) => void pieces.push(samples),
  });
  let at = 0;
  for (const cut of cuts) reader.write(bytes.subarray(at, (at += cut)));
  reader.write(bytes.subarray(at));
  reader.end();
  return { samples: joinSamples(pieces), found: reader.found };
}

/** The tone and nothing else: as long, as loud, as high, and without a click, which would be a step. Undefined where all of that is so. */
function wrongWith(samples: Int16Array): object | undefined {
  const seconds = 0.5;
  const frequencyHz = 300;
  let waves = 0;
  let steepest = 0;
  for (let at = 1; at < samples.length; at++) {
    const [before = 0, now = 0] = [samples[at - 1], samples[at]];
    if (before < 0 && now >= 0) waves++;
    steepest = Math.max(steepest, Math.abs(now - before));
  }
  const lasts = samples.length / wantedHz;
  const level = rmsLevel(samples) / (amplitude / 32_768 / Math.SQRT2);
  const isTone =
    Math.abs(lasts - seconds) < 0.005 &&
    level > 0.95 &&
    level < 1.05 &&
    Math.abs(waves - seconds * frequencyHz) < 6 &&
    steepest < (1.3 * amplitude * 2 * Math.PI * frequencyHz) / wantedHz;
  return isTone ? undefined : { lasts, level, waves, steepest };
}

const raw24 = writeSamples(tone(24_000), "s16le");
const wav = (rateHz = 24_000, writing: Partial<WavWriting> = {}): Buffer =>
  writeWav(tone(rateHz), { sampleRateHz: rateHz, ...writing });
const mp3 = writeMp3(20);

describe("what a speech server sends", () => {
  it.each([
    undefined,
    "audio/pcm",
    "application/octet-stream",
    "audio/mpeg",
    "audio/wav",
    "application/json",
    "audio/ogg",
  ])("[SPEECH-1] is read as samples where it is samples, whatever it is called: %s", (contentType) => {
    const { samples, found } = read(raw24, contentType === undefined ? {} : { contentType });
    expect(wrongWith(samples)).toBeUndefined();
    expect(found).toBe("samples without a header, s16le, 24000 Hz (not stated), 1 channel");
  });

  it("[SPEECH-1] is read in linear time where a minute of silence comes first", () => {
    let length = 0;
    const reader = new AudioReader({
      headers: new Headers(),
      service: "speech synthesis",
      rawRateHz: 24_000,
      sampleRateHz: 24_000,
      onAudio: (samples) => (length += samples.length),
    });
    for (let piece = 0; piece < 800; piece++) reader.write(new Uint8Array(3601));
    reader.write(raw24);
    reader.end();
    expect(length).toBe((800 * 3601 + raw24.length) / 2);
    expect(reader.found).toContain("s16le");
  });

  it.each([
    ["audio/L16;rate=16000", 16_000],
    ["audio/l16; rate=44100; channels=1", 44_100],
    ["audio/pcm;rate=8000", 8_000],
    ["audio/pcm; sample_rate=22050", 22_050],
    ["audio/L16;codec=pcm;rate=48000", 48_000],
  ])("[SPEECH-2] is played at the rate that its header states: %s", (contentType, rateHz) => {
    expect(wrongWith(read(writeSamples(tone(rateHz), "s16le"), { contentType }).samples)).toBeUndefined();
  });

  it("[SPEECH-2] is played at the rate that another header states, and its channels are mixed", () => {
    const bytes = writeSamples(monoToStereo(tone(22_050)), "s16le");
    expect(
      wrongWith(
        read(bytes, { contentType: "audio/pcm", headers: { "x-sample-rate": "22050", "x-channels": "2" } }).samples,
      ),
    ).toBeUndefined();
  });

  it("[SPEECH-2] is read with the bytes of its samples in either order, and as floating point", () => {
    const reversed = Buffer.from(raw24).swap16();
    expect(wrongWith(read(reversed, { contentType: "audio/L16;rate=24000" }).samples)).toBeUndefined();
    expect(wrongWith(read(raw24, { contentType: "audio/L16;rate=24000" }).samples)).toBeUndefined();
    expect(wrongWith(read(writeSamples(tone(24_000), "f32le"), { contentType: "audio/pcm" }).samples)).toBeUndefined();
    expect(wrongWith(read(writeSamples(tone(8_000), "mulaw"), { contentType: "audio/basic" }).samples)).toBeUndefined();
  });

  it("[SPEECH-2] is read in the order that is right where the sound is so soft that both could be", () => {
    const soft = tone(24_000).map((sample) => Math.round(sample / 100));
    for (const bytes of [writeSamples(soft, "s16le"), Buffer.from(writeSamples(soft, "s16le")).swap16()])
      expect(Math.max(...read(bytes).samples)).toBeLessThan(120);
    const coarse = tone(24_000).map((sample) => (sample >> 8) * 256);
    expect(rmsLevel(read(writeSamples(coarse, "s16le")).samples)).toBeGreaterThan(0.15);
  });

  it.each([8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])(
    "[SPEECH-3] is a WAV file at %i Hz, whose header is not heard",
    (rateHz) => {
      expect(wrongWith(read(wav(rateHz), { contentType: "audio/pcm" }).samples)).toBeUndefined();
    },
  );

  it.each(["u8", "s16le", "s24le", "s32le", "f32le", "mulaw"] as const)("[SPEECH-3] is a WAV file of %s", (coding) => {
    for (const channels of [1, 2])
      for (const isExtensible of [false, true]) {
        const samples = channels === 2 ? monoToStereo(tone(22_050)) : tone(22_050);
        expect(
          wrongWith(read(writeWav(samples, { sampleRateHz: 22_050, channels, coding, isExtensible })).samples),
        ).toBeUndefined();
      }
  });

  it.each([0, 0xffff_ffff, 0x7fff_ffff, 0x7fff_f000, 0xffff_ffd3, 4_800])(
    "[SPEECH-3] is a WAV file that states %i bytes because its length was not known yet",
    (dataBytes) => expect(wrongWith(read(wav(24_000, { dataBytes })).samples)).toBeUndefined(),
  );

  it("[SPEECH-3] is a WAV file with other chunks before and behind its sound", () => {
    const before = { JUNK: Buffer.alloc(27, 0x7f), LIST: Buffer.from("INFOISFT\x05\0\0\0Lavf\0") };
    const behind = Buffer.concat([Buffer.from("LIST\x10\0\0\0"), Buffer.alloc(16, 0x7f)]);
    expect(wrongWith(read(Buffer.concat([wav(16_000, { before }), behind])).samples)).toBeUndefined();
  });

  it("[SPEECH-3] is several WAV files, one after the other, or samples with such files in them", () => {
    const one = tone(24_000, 0.25);
    const file = (dataBytes?: number): Buffer =>
      writeWav(one, { sampleRateHz: 24_000, ...(dataBytes !== undefined && { dataBytes }) });
    for (const bytes of [
      Buffer.concat([file(), file()]),
      Buffer.concat([file(0xffff_ffff), file(0xffff_ffff)]),
      Buffer.concat([writeSamples(one, "s16le"), file()]),
    ])
      for (const cuts of [[], [6_000, 6_010], [12_040, 1, 1, 1, 1, 1]])
        expect(wrongWith(read(bytes, { cuts }).samples)).toBeUndefined();
  });

  it("[SPEECH-3] is the same however it is cut, in a header or in a sample", () => {
    const files = [
      raw24,
      wav(22_050, { coding: "s24le", before: { LIST: Buffer.alloc(5) } }),
      wav(24_000, { dataBytes: 0 }),
      Buffer.from(`{"audio":"${raw24.toString("base64")}"}`),
    ];
    for (const file of files) {
      const whole = Array.from(read(file).samples);
      for (let at = 0; at < 120; at++) expect(Array.from(read(file, { cuts: [at] }).samples)).toEqual(whole);
      fc.assert(
        fc.property(fc.array(fc.nat({ max: 900 }), { maxLength: 40 }), (cuts) => {
          expect(Array.from(read(file, { cuts }).samples)).toEqual(whole);
        }),
        { numRuns: 30 },
      );
    }
  });

  it("[SPEECH-3] is passed on while it arrives", () => {
    const pieces: Int16Array[] = [];
    const reader = new AudioReader({
      headers: new Headers(),
      service: "speech synthesis",
      rawRateHz: 24_000,
      sampleRateHz: wantedHz,
      onAudio: (samples) => void pieces.push(samples),
    });
    reader.write(wav(24_000, { dataBytes: 0xffff_ffff }).subarray(0, 4_044));
    expect(joinSamples(pieces).length).toBeGreaterThan(1_300);
  });

  it.each([
    ["JSON", JSON.stringify({ audio: raw24.toString("base64") })],
    ["JSON of several lines", JSON.stringify({ id: "x", data: [{ b64_json: wav().toString("base64") }] }, null, 2)],
    ["a data URL", JSON.stringify({ url: `data:audio/wav;base64,${wav().toString("base64")}` })],
    ["hexadecimal digits", JSON.stringify({ data: { audio: wav().toString("hex"), status: 2 } })],
    [
      "a rate of its own",
      JSON.stringify({ sample_rate: 44_100, audio: writeSamples(tone(44_100), "s16le").toString("base64") }),
    ],
    ["lines of JSON", [0, 1, 2, 3].map((at) => JSON.stringify({ audio: part(at) })).join("\n")],
    [
      "events",
      [0, 1, 2, 3].map((at) => event({ type: "speech.audio.delta", audio: part(at) })).join("") +
        event({ type: "speech.audio.done" }),
    ],
    [
      "other events",
      `: ping\r\n\r\n${[0, 1, 2, 3].map((at) => event({ choices: [{ delta: { audio: { data: part(at) } } }] })).join("")}data: [DONE]\n\n`,
    ],
  ])("[SPEECH-4] is read from base64 in %s", (_how, text) => {
    expect(wrongWith(read(Buffer.from(text)).samples)).toBeUndefined();
  });

  function part(at: number): string {
    const length = raw24.length / 4;
    return raw24.subarray(at * length, (at + 1) * length).toString("base64");
  }

  function event(json: object): string {
    return `data: ${JSON.stringify(json)}\n\n`;
  }

  it.each([
    ["MP3", mp3, "audio/mpeg"],
    ["MP3", mp3, "audio/pcm"],
    ["MP3", writeMp3(1), "audio/mpeg"],
    ["MP3", writeMp3(3, true), undefined],
    [
      "Ogg Opus",
      Buffer.concat([Buffer.from("OggS"), Buffer.alloc(24), Buffer.from("OpusHead"), noise(2_000)]),
      undefined,
    ],
    ["FLAC", Buffer.concat([Buffer.from("fLaC"), noise(2_000)]), "audio/pcm"],
    ["WebM", Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), noise(2_000)]), undefined],
    ["MP4", Buffer.concat([Buffer.from("\0\0\0\x20ftypM4A "), noise(2_000)]), undefined],
    [
      "AAC",
      Buffer.concat(
        Array.from({ length: 5 }, () => Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x19, 0x00]), noise(194)])),
      ),
      "audio/pcm",
    ],
    ["AIFF", Buffer.concat([Buffer.from("FORM\0\0\x10\0AIFFCOMM"), noise(2_000)]), undefined],
    ["gzip", Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), noise(2_000)]), undefined],
    ["noise", noise(4_000), "application/octet-stream"],
    ["noise", Buffer.concat([Buffer.alloc(2_000), noise(4_000)]), "audio/pcm"],
    ["WAV of format 85 with 0 bits", mp3InWav(), "audio/wav"],
    ["MP3", Buffer.from(JSON.stringify({ audio: mp3.toString("base64") })), "application/json"],
  ])("[SPEECH-5] is refused in words, and nothing is heard, where it is %s", (name, bytes, contentType) => {
    for (const cuts of [[], [1, 1, 1, 5, 30], [700]]) {
      const heard: Int16Array[] = [];
      expect(() =>
        heard.push(read(bytes, { cuts, ...(contentType !== undefined && { contentType }) }).samples),
      ).toThrow(`speech synthesis answered ${name}`);
      expect(heard).toEqual([]);
    }
  });

  function noise(length: number): Buffer {
    let state = 1;
    return Buffer.from(
      Uint8Array.from({ length }, () => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return state >>> 16;
      }),
    );
  }

  function mp3InWav(): Buffer {
    const file = wav();
    file.writeUInt16LE(85, 20);
    file.writeUInt16LE(0, 34);
    return file;
  }

  it.each([
    [
      "JSON in place of audio (code rate_limit_exceeded)",
      '{"error":{"message":"Slow down, Ada.","code":"rate_limit_exceeded"}}',
      "application/json",
    ],
    ["JSON in place of audio (code none)", '{"detail":"Model is loading"}', "audio/pcm"],
    ["HTML in place of audio (code none)", "<!doctype html><html><body>Bad gateway</body></html>", "text/html"],
    ["events in place of audio (code overloaded)", 'data: {"error":{"code":"overloaded"}}\n\n', "text/event-stream"],
    ["text/plain in place of audio (code none)", "busy", "text/plain"],
    ["text in place of audio (code none)", "Модель не загружена, попробуйте позже", undefined],
  ])("[SPEECH-5] is a failure with the server's code, and without its words: %s", (message, text, contentType) => {
    for (const cuts of [[], [1, 1, 3]])
      expect(() => read(Buffer.from(text), { cuts, ...(contentType !== undefined && { contentType }) })).toThrow(
        `speech synthesis answered ${message}`,
      );
  });

  it("[SPEECH-5] ends where a server writes words behind its samples", () => {
    const words = Buffer.from(`{"error":{"message":"CUDA out of memory while decoding the last chunk","code":500}}`);
    expect(() => read(Buffer.concat([raw24, words]), { cuts: [raw24.length] })).toThrow(
      "text in the middle of its audio",
    );
  });

  it("never throws anything but an error of ours, and is never as loud as noise, whatever the bytes are", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 3_000 }),
        fc.constantFrom(
          "",
          "RIFF\0\0\0\0WAVE",
          "RIFF\0\0\0\0WAVEfmt \x10\0\0\0",
          '{"audio":"',
          "data: {",
          "OggS",
          "\xff\xfb\x90\0",
        ),
        fc.array(fc.nat({ max: 300 }), { maxLength: 8 }),
        (bytes, before, cuts) => {
          try {
            read(Buffer.concat([Buffer.from(before, "latin1"), bytes]), { cuts });
          } catch (error) {
            expect(error).toMatchObject({ name: expect.stringMatching(/Error$/), code: "upstream_unavailable" });
          }
        },
      ),
    );
  });
});
