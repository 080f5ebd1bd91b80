/**
 * How servers of speech that speak OpenAI's protocol answer: in which format, whatever was asked for, what they refuse, and what they
 * write around the words. One row each, with the public report that it is known from; `npm run emulators -- --speech NAME` and the
 * contract suites of the ports serve every row. A new manner is a row here, and no branch anywhere.
 */
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { writeMp3, writeSamples, writeWav } from "@voice/provider-kit/testing/audio-files";

export interface SpeechRow {
  /** Whose manner it is; the part behind a slash tells manners of the same server apart. */
  readonly server: string;
  readonly manner: string;
  readonly source: string;
}

export interface AskedSpeech {
  readonly response_format: "pcm" | "wav";
}

/** Bytes for the samples at `rateHz` as they are made, in as many pieces as the server writes. */
export interface SpokenAnswer {
  readonly contentType: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the engine; 24 kHz where absent. */
  readonly rateHz?: 8000 | 16_000 | 24_000 | 48_000;
  readonly begin?: () => Uint8Array;
  readonly piece: (samples: Int16Array) => Uint8Array;
  readonly end?: () => Uint8Array;
  /** The answer is written when all of it has been made: `piece` is called once. */
  readonly isWhole?: true;
}

export interface Refused {
  readonly status: number;
  readonly body: object;
}

export interface SpeakingManner extends SpeechRow {
  /** Who is never heard: the manner of a server whose format is not read, and that sends nothing else. */
  readonly isUnreadable?: true;
  answer(asked: AskedSpeech): SpokenAnswer | Refused;
}

export interface AskedTranscription {
  readonly response_format: "json" | "verbose_json";
  readonly stream?: "true" | undefined;
}

export interface WrittenAnswer {
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
}

export interface HearingManner extends SpeechRow {
  /** Nobody learns from it what was said. */
  readonly isUnknown?: true;
  /** `text` is empty where the audio had no words. Undefined: no answer at all. */
  answer(text: string, asked: AskedTranscription): WrittenAnswer | undefined;
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

export const speakingManners: readonly SpeakingManner[] = [
  {
    server: "openai",
    manner: "raw samples of 16 bits at 24 kHz; a WAV file states no length",
    source: 'OpenAI, "Text to speech"; Kokoro-FastAPI pull request 94',
    answer: either(raw("audio/pcm"), streamedWav),
  },
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

const json = (body: object, status = 200): WrittenAnswer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});
const segmentOf = (text: string) => ({
  id: 0,
  text: ` ${text}`,
  avg_logprob: -0.2,
  no_speech_prob: text === "" ? 0.4 : 0.02,
});
const usualAnswer = (text: string, { response_format: format, stream }: AskedTranscription): WrittenAnswer => {
  if (stream === "true")
    return {
      contentType: "text/event-stream",
      body: `${(text.match(/\S+\s*/g) ?? []).map((delta) => `data: ${JSON.stringify({ type: "transcript.text.delta", delta })}\n\n`).join("")}data: ${JSON.stringify({ type: "transcript.text.done", text })}\n\ndata: [DONE]\n\n`,
    };
  return json({ text, ...(format === "verbose_json" && { segments: [segmentOf(text)] }) });
};

export const hearingManners: readonly HearingManner[] = [
  {
    server: "openai",
    manner: "events for models that stream, `verbose_json` for Whisper alone",
    source: "`openai` 7.57, resources/audio/transcriptions.d.ts; esperanto issue 204",
    answer: usualAnswer,
  },
  {
    server: "groq",
    manner: "`verbose_json` with `no_speech_prob`",
    source: "TypeWhisper pull request 23, zachlatta/freeflow pull request 218",
    answer: usualAnswer,
  },
  {
    server: "whisper.cpp",
    manner: "remarks about sounds as words: `[BLANK_AUDIO]`, `(music)`, before and behind what was said",
    source: "whisper.cpp issue 2420, wyoming-whisper-api-client issue 2, open-wispr issue 73",
    answer: (text) => json({ text: text === "" ? " [BLANK_AUDIO]\n" : ` (gentle music) ${text} [clears throat]\n` }),
  },
  {
    server: "whisper.cpp/text",
    manner: "plain text with times, whatever is asked for",
    source: "whisper.cpp issue 1974; pollinations pull request 11458",
    answer: (text) => ({
      contentType: "text/plain; charset=utf-8",
      body: `[00:00:00.000 --> 00:00:02.000]   ${text}\n`,
    }),
  },
  {
    server: "speaches",
    manner: "fails with 500 over `verbose_json`",
    source: "speaches issue 58",
    answer: (text, asked) =>
      asked.response_format === "verbose_json" ? json({ detail: "Internal Server Error" }, 500) : json({ text }),
  },
  {
    server: "vllm",
    manner: "refuses `verbose_json` with 400 for models that have none",
    source: "vLLM issue 14818, Vexa issue 1342, LiteLLM pull request 15010",
    answer: (text, asked) =>
      asked.response_format === "verbose_json"
        ? json(
            {
              object: "error",
              message: "Currently only support response_format `text` or `json`",
              type: "BadRequestError",
              code: 400,
            },
            400,
          )
        : json({ text, usage: { type: "duration", seconds: 2 } }),
  },
  {
    server: "vllm/diarised",
    manner: "names of speakers and times within the text",
    source: "vLLM issue 50356",
    answer: (text) => json({ text: text === "" ? "" : `[00:00.10] SPEAKER_00: ${text}` }),
  },
  {
    server: "whisperx",
    manner: "the segments within an object of the same name",
    source: "Nyralei/whisperx-api-server issue 4",
    answer: (text) =>
      json({ text, segments: { segments: [{ start: 0.4, end: 1.1, text: ` ${text}` }], word_segments: [] } }),
  },
  {
    server: "whisperx/string",
    manner: "the text as a JSON string",
    source: "Nyralei/whisperx-api-server issue 4",
    answer: (text) => ({ contentType: "application/json", body: JSON.stringify(text) }),
  },
  {
    server: "funasr",
    manner: "tokens of the model for language, mood and sound within the text, and pictures",
    source: "FunAudioLLM/SenseVoice, README; modelscope/FunASR",
    answer: (text) =>
      json({
        text: text === "" ? "<|nospeech|><|EMO_UNKNOWN|><|BGM|>🎼" : `<|en|><|NEUTRAL|><|Speech|><|woitn|>${text}😊`,
      }),
  },
  {
    server: "localai",
    manner: "always JSON, with segments that say nothing of how sure they are",
    source: "LocalAI pull request 211",
    answer: (text) =>
      json({ segments: [{ id: 0, start: 0, end: 2_000_000_000, text: ` ${text}`, tokens: null }], text }),
  },
  {
    server: "localai/no-ffmpeg",
    manner: "fails with 500, always",
    source: "LocalAI issue 4767",
    isUnknown: true,
    answer: () =>
      json(
        { error: { code: 500, message: 'rpc error: exec: "ffmpeg": executable file not found in $PATH', type: "" } },
        500,
      ),
  },
  {
    server: "lm-studio",
    manner: '200 with `{"error":"Unexpected endpoint or method. …"}`, because it has no transcription',
    source: "lmstudio-bug-tracker issues 618 and 1323",
    isUnknown: true,
    answer: () => json({ error: "Unexpected endpoint or method. (POST /v1/audio/transcriptions)" }),
  },
  {
    server: "null-text",
    manner: '200 with `{"text":null}`',
    source: "class of speaches issue 608: an executor that found nothing to transcribe",
    isUnknown: true,
    answer: () => json({ text: null }),
  },
  {
    server: "silent",
    manner: "takes the audio and never answers",
    source: "LocalAI issue 4767 and others: a worker that has died behind its queue",
    isUnknown: true,
    answer: () => undefined,
  },
];

export const speechServerNames: readonly string[] = [
  ...new Set([...speakingManners, ...hearingManners].map(({ server }) => server)),
];

/** What a server of that name does; of what it does not do, OpenAI's manner stands in. */
export function speechMannersOf(name: string | undefined): {
  readonly speaking: SpeakingManner | undefined;
  readonly hearing: HearingManner | undefined;
} {
  const ofName = ({ server }: SpeechRow): boolean => server === name;
  return { speaking: speakingManners.find(ofName), hearing: hearingManners.find(ofName) };
}
