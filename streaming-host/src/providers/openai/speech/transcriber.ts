/**
 * Asks a server to transcribe a segment of audio. Parameters that it rejects are omitted from then on, unless it has accepted them before:
 * in that case the rejection concerns the values of one conversation, such as its language or its phrases.
 */
import { encodeWav } from "@voice/provider-kit/audio/wav";
import { explainedError } from "@voice/shared/platform/errors";
import { endedInTime } from "@voice/shared/platform/within-time";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { Upstream } from "@voice/shared/platform/upstream";
import type OpenAI from "openai";
import { APIError } from "openai";
import { toUpstreamError } from "../errors.ts";
import { readTranscription } from "./read-transcription.ts";
import type { Transcription } from "./read-transcription.ts";
import { dialectOf, toTranscriptionParams } from "./transcription-params.ts";
import type { HeardIn, TranscriptionDialect } from "./transcription-params.ts";

export interface TranscriberOptions {
  readonly client: OpenAI;
  readonly model: string;
  readonly upstream: Upstream;
  /** The longest wait for the transcript. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Transcriber {
  /** 16 kHz. Rejects with a `VoiceError`, or with the signal's reason. `onText`: the text so far, if the server streams it. */
  transcribe(
    samples: Int16Array,
    heard: HeardIn,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Transcription>;
}

export const transcribedRateHz = 16_000;
const service = "speech recognition";
/** The statuses with which a server rejects an unknown parameter. */
const refusals = new Set([400, 415, 422]);

export function createTranscriber({
  client,
  model,
  upstream,
  timeoutMs,
  clock,
  logger,
}: TranscriberOptions): Transcriber {
  let dialect: TranscriptionDialect = dialectOf(model);
  let isDialectKnown = false;

  async function ask(
    file: File,
    heard: HeardIn,
    signal: AbortSignal,
    onText: (text: string) => void,
    asked = dialect,
  ): Promise<Transcription> {
    const params = { ...toTranscriptionParams(heard, asked), model, file };
    try {
      const response = await client.audio.transcriptions.create(params, { signal, timeout: timeoutMs }).asResponse();
      if (!isDialectKnown) dialect = asked;
      isDialectKnown = true;
      return await readTranscription(response, client, onText);
    } catch (error) {
      signal.throwIfAborted();
      // Some servers fail because of an unsupported format, instead of rejecting it: the next request is plain, and if that fails too, the
      // usual form returns.
      const hasFailed = error instanceof APIError && (error.status ?? 0) >= 500;
      if (hasFailed && !isDialectKnown) dialect = asked === "plain" ? dialectOf(model) : "plain";
      if (asked === "plain" || !(error instanceof APIError) || !refusals.has(error.status ?? 0))
        throw toUpstreamError(error, service);
      logger.warn({ model, status: error.status }, "the transcription server refuses parameters, asking without them");
      return await ask(file, heard, signal, onText, "plain");
    }
  }

  return {
    async transcribe(samples, heard, signal, onText) {
      const wav = encodeWav({ samples, sampleRateHz: transcribedRateHz, channels: 1 });
      const file = new File([Uint8Array.from(wav)], "speech.wav", { type: "audio/wav" });
      const late = () => explainedError("upstream_timeout", `${service} did not answer in ${timeoutMs} ms`);
      return await upstream.run(
        (attempt) => endedInTime(clock, timeoutMs, attempt, (inTime) => ask(file, heard, inTime, onText), late),
        signal,
      );
    },
  };
}
