/** In which format servers send speech, whatever they are asked for, and what they refuse. */
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { writeMp3, writeSamples, writeWav } from "@voice/provider-kit/testing/audio-files";
import type { Refusal } from "./manners/manner.ts";
import type { SpeechRow } from "./speech-row.ts";

export interface AskedSpeech {
  readonly response_format: "pcm" | "wav";
}

/** Bytes for the samples at `rateHz` as they are made, in as many pieces as the server writes. */
export interface SpokenAnswer {
  readonly contentType: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The engine's sample rate; 24 kHz if absent. */
  readonly rateHz?: 8000 | 16_000 | 24_000 | 48_000;
  readonly begin?: () => Uint8Array;
  readonly piece: (samples: Int16Array) => Uint8Array;
  readonly end?: () => Uint8Array;
  /** The answer is written when all of it has been made: `piece` is called once. */
  readonly isWhole?: true;
}

export interface SpeakingManner extends SpeechRow {
  /** The product cannot read the only audio format that this server sends. */
  readonly isUnreadable?: true;
  answer(asked: AskedSpeech): SpokenAnswer | Refusal;
}

const openRate = 0xffff_ffff;
const raw = (contentType: string | undefined): SpokenAnswer => ({
  contentType,
  piece: (samples) => Uint8Array.from(bytesFromSamples(samples)),
});
const wavHead = (rateHz: number): Uint8Array =>
  writeWav(new Int16Array(0), { sampleRateHz: rateHz, dataBytes: openRate });
const streamedWav: SpokenAnswer = { ...raw("audio/wav"), begin: () => wavHead(24_000) };
const wholeWav = (contentType: string, rateHz = 24_000): SpokenAnswer => ({
  contentType,
  isWhole: true,
  piece: (samples) => writeWav(atRate(samples, rateHz), { sampleRateHz: rateHz }),
});
/** The engines here speak at 24 kHz; a voice at another rate is made of that, without a filter, because nothing listens for aliases. */
function atRate(samples: Int16Array, rateHz: number): Int16Array {
  if (rateHz === 16_000 || rateHz === 8000) return resampleAll(samples, 24_000, rateHz);
  const length = Math.round((samples.length * rateHz) / 24_000);
  return Int16Array.from({ length }, (_, at) => samples[Math.floor((at * 24_000) / rateHz)] ?? 0);
}
const either = (pcm: SpokenAnswer, wav: SpokenAnswer) => (asked: AskedSpeech) =>
  asked.response_format === "pcm" ? pcm : wav;
const refusing =
  (status: number, body: object, formats: readonly string[], answer: SpokenAnswer) => (asked: AskedSpeech) =>
    formats.includes(asked.response_format) ? { status, body } : answer;
const base64 = (samples: Int16Array): string => bytesFromSamples(samples).toString("base64");
const line = (json: object): Uint8Array => Buffer.from(`${JSON.stringify(json)}\n`);
const event = (json: object): Uint8Array => Buffer.from(`data: ${JSON.stringify(json)}\n\n`);

export const openAiSpeaking: SpeakingManner = {
  server: "openai",
  manner: "raw samples of 16 bits at 24 kHz; a WAV file states no length",
  source: 'OpenAI, "Text to speech"; Kokoro-FastAPI pull request 94',
  answer: either(raw("audio/pcm"), streamedWav),
};

export const speakingManners: readonly SpeakingManner[] = [
  openAiSpeaking,
  {
    server: "azure-openai",
    manner: "the same bytes, without a type that says what they are",
    source: "huggingface/speech-to-speech issue 531, which accepts `application/octet-stream` and none",
    answer: either(raw("application/octet-stream"), { ...streamedWav, contentType: undefined }),
  },
  {
    server: "groq",
    manner: "refuses `pcm`: `response_format must be one of [wav]`",
    source: "wyoming_openai issue 43, livekit/agents-js issue 650, hermes-studio pull request 2328",
    answer: refusing(
      400,
      { error: { message: "response_format must be one of [wav]", type: "invalid_request_error" } },
      ["pcm"],
      streamedWav,
    ),
  },
  {
    server: "qwen3-tts",
    manner: "refuses a format that it does not have with 400 and pydantic's `detail`",
    source: "andimarafioti/faster-qwen3-tts pull request 46",
    answer: refusing(400, { detail: "Unsupported response_format 'pcm'" }, ["pcm"], wholeWav("audio/wav")),
  },
  {
    server: "localai",
    manner: "a WAV file at the voice's own rate, whatever is asked for",
    source: "LocalAI issue 2732",
    answer: () => wholeWav("audio/x-wav", 22_050),
  },
  {
    server: "omlx",
    manner: "a WAV file as `audio/wav`, whatever is asked for",
    source: "jundot/omlx pull request 823, runanywhere-sdks pull request 575",
    answer: () => wholeWav("audio/wav"),
  },
  {
    server: "kokoro",
    manner: "raw samples at 24 kHz as `audio/pcm`; WAV with an open length",
    source: "Kokoro-FastAPI pull request 94",
    answer: either(raw("audio/pcm"), streamedWav),
  },
  {
    server: "kokoro/per-sentence",
    manner: "a whole WAV file for each piece of the text, one behind the other",
    source: "Kokoro-FastAPI pull request 94 (before it)",
    answer: () => ({ contentType: "audio/wav", piece: (samples) => writeWav(samples, { sampleRateHz: 24_000 }) }),
  },
  {
    server: "speaches",
    manner: "raw samples; WAV files at the rate of a Piper voice",
    source: "speaches, routers/speech.py; rhasspy/piper issue 249",
    answer: either(raw("audio/pcm"), wholeWav("audio/wav", 22_050)),
  },
  {
    server: "pocket-tts",
    manner: "raw samples under `audio/mpeg`",
    source: "pocket-tts-openai_streaming_server pull request 3, sfortis/openai_tts issue 61",
    answer: () => raw("audio/mpeg"),
  },
  {
    server: "edge-tts",
    manner: "MP3, whatever is asked for, where ffmpeg is not installed",
    source: "travisvn/openai-edge-tts issues 24 and 8",
    isUnreadable: true,
    answer: () => ({
      contentType: "audio/mpeg",
      isWhole: true,
      piece: (samples) => writeMp3(Math.ceil(samples.length / 627)),
    }),
  },
  {
    server: "mp3-for-pcm",
    manner: "MP3 for `pcm`, and WAV for `wav`",
    source: "livekit/agents-js issue 2320, huggingface/speech-to-speech issue 531",
    answer: either(
      { contentType: "audio/mpeg", isWhole: true, piece: () => writeMp3(40, true) },
      wholeWav("audio/wav"),
    ),
  },
  {
    server: "gemini",
    manner: "`audio/L16;codec=pcm;rate=24000`, little-endian against RFC 2586",
    source: "hugalafutro/model-hotel pull request 884",
    answer: () => raw("audio/L16;codec=pcm;rate=24000"),
  },
  {
    server: "rate-16000",
    manner: "raw samples at another rate than OpenAI's, stated in the content type",
    source: "RFC 2586; TEN-framework pull request 2161",
    answer: () => ({ ...raw("audio/pcm;rate=16000"), rateHz: 16_000 }),
  },
  {
    server: "rate-header",
    manner: "raw samples in floating point, in two channels, described by headers of its own",
    source:
      "carli2/speech-server (rate by header); VOICEVOX/voicevox_engine issue 1492 (rate has to be passed beside the samples)",
    answer: () => ({
      contentType: "audio/pcm;encoding=f32le",
      headers: { "x-sample-rate": "48000", "x-channels": "1" },
      rateHz: 48_000,
      piece: (samples) => writeSamples(samples, "f32le"),
    }),
  },
  {
    server: "tenstorrent",
    manner: "JSON with a WAV file in base64",
    source: "tenstorrent/tt-inference-server pull request 1776",
    answer: () => ({
      contentType: "application/json",
      isWhole: true,
      piece: (samples) =>
        Buffer.from(JSON.stringify({ audio: writeWav(samples, { sampleRateHz: 24_000 }).toString("base64") })),
    }),
  },
  {
    server: "minimax",
    manner: "JSON with the sound in hexadecimal digits",
    source: 'MiniMax, "T2A V2"; open-webui pull request 27799',
    answer: () => ({
      contentType: "application/json; charset=utf-8",
      isWhole: true,
      piece: (samples) =>
        Buffer.from(
          JSON.stringify({
            data: { audio: writeWav(samples, { sampleRateHz: 24_000 }).toString("hex"), status: 2 },
            base_resp: { status_code: 0 },
          }),
        ),
    }),
  },
  {
    server: "inworld",
    manner: "a line of JSON for each piece, with base64, and a WAV header in each",
    source: "inworld-ai/inworld-api-examples issue 21",
    answer: () => ({
      contentType: "application/json",
      piece: (samples) =>
        line({ result: { audioContent: writeWav(samples, { sampleRateHz: 24_000 }).toString("base64") } }),
    }),
  },
  {
    server: "openai/events",
    manner: "events with base64 (`speech.audio.delta`), as with `stream_format: sse`",
    source: "`openai` 7.57, resources/audio/speech.d.ts",
    answer: () => ({
      contentType: "text/event-stream",
      piece: (samples) => event({ type: "speech.audio.delta", audio: base64(samples) }),
      end: () => event({ type: "speech.audio.done", usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 } }),
    }),
  },
  {
    server: "lm-studio",
    manner: '200 with `{"error":"Unexpected endpoint or method. …"}`, because it has no speech',
    source: "lmstudio-bug-tracker issues 618 and 1323",
    isUnreadable: true,
    answer: () => ({
      contentType: "application/json; charset=utf-8",
      isWhole: true,
      piece: () => Buffer.from('{"error":"Unexpected endpoint or method. (POST /v1/audio/speech)"}'),
    }),
  },
  {
    server: "openedai-speech",
    manner: "fails with 500 over `wav`; raw samples are fine",
    source: "matatonic/openedai-speech pull request 23",
    answer: refusing(500, { detail: "Internal Server Error" }, ["wav"], raw("audio/pcm")),
  },
];
