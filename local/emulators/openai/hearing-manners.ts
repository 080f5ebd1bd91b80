/** What servers write around the words of a transcription, or in place of them. */
import type { SpeechRow } from "./speech-row.ts";
import type { TranscriptionRequest } from "./transcription-request.ts";

export interface AskedTranscription extends Pick<TranscriptionRequest, "response_format" | "stream" | "include"> {
  /** The audio had no words, whatever the model makes of it. */
  readonly isNoise: boolean;
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

const json = (body: object, status = 200): WrittenAnswer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});
const eventsOf = (text: string, include: AskedTranscription["include"]): readonly object[] => [
  ...(text.match(/\S+\s*/g) ?? []).map((delta) => ({ type: "transcript.text.delta", delta })),
  {
    type: "transcript.text.done",
    text,
    ...(include !== undefined && { logprobs: [{ token: text, logprob: -0.1, bytes: [] }] }),
    usage: { type: "duration", seconds: 1 },
  },
];
function usualAnswer(text: string, { response_format: format, stream, include, isNoise }: AskedTranscription) {
  if (stream === "true") {
    const data = [...eventsOf(text, include).map((event) => JSON.stringify(event)), "[DONE]"];
    return { contentType: "text/event-stream", body: data.map((line) => `data: ${line}\n\n`).join("") };
  }
  const segments = [{ id: 0, text: ` ${text}`, avg_logprob: -0.2, no_speech_prob: isNoise ? 0.4 : 0.02 }];
  return json({ text, ...(format === "verbose_json" && { segments }) });
}

export const openAiHearing: HearingManner = {
  server: "openai",
  manner: "events for models that stream, `verbose_json` for Whisper alone",
  source: "`openai` 7.57, resources/audio/transcriptions.d.ts; esperanto issue 204",
  answer: usualAnswer,
};

export const hearingManners: readonly HearingManner[] = [
  openAiHearing,
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
