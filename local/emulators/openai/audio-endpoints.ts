/** `/audio/transcriptions` and `/audio/speech` as the service serves them, on top of a recogniser and a synthesiser. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { z } from "zod";
import { readBody } from "../read-body.ts";
import { refuse } from "./send-answer.ts";
import { openAiHearing } from "./hearing-manners.ts";
import type { HearingManner, WrittenAnswer } from "./hearing-manners.ts";
import { openAiSpeaking } from "./speaking-manners.ts";
import type { SpeakingManner } from "./speaking-manners.ts";
import { readTranscriptionRequest } from "./transcription-request.ts";
import type { TranscriptionRequest } from "./transcription-request.ts";

export interface AudioEngines {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  /**
   * The transcript of sounds that are not words: Whisper makes up phrases for these, often the closing words of videos.
   */
  readonly madeOfNoise?: string;
  /** The voices on offer; any name is accepted if absent. */
  readonly voices?: ReadonlySet<string>;
  /** 400 if absent, as OpenAI does. */
  readonly statusOfUnknownVoice?: number;
  /** The manners that it has in speech and in transcription; OpenAI's if absent. */
  readonly speaking?: SpeakingManner | undefined;
  readonly hearing?: HearingManner | undefined;
}

const speechSchema = z.strictObject({
  model: z.string().min(1),
  input: z.string().min(1).max(4096),
  voice: z.union([z.string().min(1), z.strictObject({ id: z.string() })]),
  instructions: z.string().optional(),
  response_format: z.enum(["pcm", "wav"]),
  speed: z.number().min(0.25).max(4).optional(),
});

export type SeenAudio =
  | {
      readonly kind: "speech";
      readonly body: z.infer<typeof speechSchema>;
      readonly headers: IncomingMessage["headers"];
    }
  | {
      readonly kind: "transcription";
      readonly body: TranscriptionRequest;
      readonly headers: IncomingMessage["headers"];
    };

/** The largest file that the service accepts. */
export const largestBodyBytes = 25 * 1024 * 1024;
const usualRateHz = 24_000;
/** The service treats the whole file as one utterance. */
const longerThanAnyPauseMs = 20_000;

export class AudioEndpoints {
  readonly seen: SeenAudio[] = [];
  readonly #engines: AudioEngines;
  readonly #failures: number[] = [];

  constructor(engines: AudioEngines) {
    this.#engines = engines;
  }

  fail(statuses: readonly number[]): void {
    this.#failures.push(...statuses);
  }

  /** False if the path is not one of the audio endpoints. */
  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const task = /\/v1\/audio\/(transcriptions|speech)$/.exec(path)?.[1];
    if (request.method !== "POST" || task === undefined) return false;
    const body = await readBody(request, largestBodyBytes);
    const status = this.#failures.shift();
    if (status !== undefined) refuse(response, status, "server_error");
    else if (task === "speech") await this.#speak(body, request, response);
    else await this.#transcribe(body, request, response);
    return true;
  }

  async #speak(body: Buffer, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const parsed = speechSchema.safeParse(JSON.parse(body.toString("utf8")));
    if (!parsed.success) return refuse(response, 400, "invalid_request_error");
    const { input, voice, speed = 1 } = parsed.data;
    this.seen.push({ kind: "speech", body: parsed.data, headers });
    const name = typeof voice === "string" ? voice : voice.id;
    const { voices, statusOfUnknownVoice = 400, speaking = openAiSpeaking } = this.#engines;
    if (voices?.has(name) === false) return refuse(response, statusOfUnknownVoice, "invalid_value", { param: "voice" });
    const answer = speaking.answer(parsed.data);
    if ("status" in answer) return sendJson(response, answer.status, answer.body);
    const gone = new AbortController();
    response.on("close", () => gone.abort(new DOMException("the client went away", "AbortError")));
    const { contentType, headers: more, rateHz = usualRateHz } = answer;
    response.writeHead(200, { ...more, ...(contentType !== undefined && { "content-type": contentType }) });
    if (answer.begin !== undefined) response.write(answer.begin());
    const whole: Int16Array[] = [];
    const rate = `${speed < 1 ? "" : "+"}${Math.round((speed - 1) * 100)}%`;
    const onAudio = (samples: Int16Array): void => {
      if (answer.isWhole === true) whole.push(samples);
      else writeUnevenly(response, answer.piece(samples));
    };
    await this.#engines.synthesiser
      .synthesise(
        { text: input, voice: { name, rate }, language: "en-US", sampleRateHz: rateHz },
        { onAudio, onWord: () => undefined },
        gone.signal,
      )
      .catch(() => response.destroy());
    if (answer.isWhole === true) writeUnevenly(response, answer.piece(joinSamples(whole)));
    response.end(answer.end?.());
    return undefined;
  }

  async #transcribe(body: Buffer, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const contentType = headers["content-type"] ?? "";
    const form = await new Response(Uint8Array.from(body), { headers: { "content-type": contentType } }).formData();
    const request = await readTranscriptionRequest(form);
    if (typeof request === "string") return refuse(response, 400, "invalid_request_error", { param: request });
    this.seen.push({ kind: "transcription", body: request, headers });
    const { hearing = openAiHearing, madeOfNoise = "" } = this.#engines;
    // A server that cannot transcribe the audio fails before it has read it.
    const heard = hearing.isUnknown === true ? "" : await this.#hear(request);
    if (response.destroyed) return undefined;
    const isNoise = heard === "";
    return sendWritten(response, hearing.answer(isNoise ? madeOfNoise : heard, { ...request, isNoise }));
  }

  async #hear({ audio, language = "en" }: TranscriptionRequest): Promise<string> {
    const heard = Promise.withResolvers<string>();
    const stream = await this.#engines.recogniser.open(
      {
        sampleRateHz: audio.sampleRateHz,
        language,
        candidateLanguages: [],
        segmentationSilenceMs: longerThanAnyPauseMs,
        hints: { examples: [], phrases: [] },
      },
      { onPartial: () => undefined, onFinal: ({ text }) => heard.resolve(text), onError: heard.reject },
      new AbortController().signal,
    );
    try {
      stream.write(audio.samples);
      // The recogniser reports no final for a file without speech.
      stream.write(new Int16Array(audio.sampleRateHz / 10));
      stream.flush();
      return await Promise.race([heard.promise, silenceAfter(heard.promise)]);
    } finally {
      stream.close();
    }
  }
}

const longestHearingMs = 2_000;

/** Empty if the recogniser has found no speech. */
function silenceAfter(heard: Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestHearingMs, "");
    const stop = (): void => clearTimeout(timer);
    heard.then(stop, stop);
  });
}

/** Packets do not respect sample boundaries, so each chunk is cut at an odd byte wherever possible. */
function writeUnevenly(response: ServerResponse, bytes: Uint8Array): void {
  const cut = bytes.length > 2 ? 2 * Math.floor(bytes.length / 4) + 1 : bytes.length;
  response.write(Uint8Array.from(bytes.subarray(0, cut)));
  response.write(Uint8Array.from(bytes.subarray(cut)));
}

/** Sends nothing if there is no response: the client gives up, or continues to wait. */
function sendWritten(response: ServerResponse, answer: WrittenAnswer | undefined): void {
  if (answer === undefined) return;
  response.writeHead(answer.status ?? 200, { "content-type": answer.contentType });
  response.end(answer.body);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  sendWritten(response, { status, contentType: "application/json", body: JSON.stringify(body) });
}
