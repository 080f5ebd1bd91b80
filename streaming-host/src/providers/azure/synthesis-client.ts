/** One connected synthesiser of the SDK. It speaks one request at a time and is reused on the same socket. */
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import {
  Connection,
  ResultReason,
  SpeechSynthesisBoundaryType,
  SpeechSynthesisOutputFormat,
  SpeechSynthesizer,
} from "microsoft-cognitiveservices-speech-sdk";
import { awaitConnection } from "./await-connection.ts";
import { prepareSpeechSdk, requestStop, watchConnections } from "./sdk-internals.ts";
import type { ConnectionWatch } from "./sdk-internals.ts";
import { createSpeechConfig } from "./speech-endpoint.ts";
import type { SpeechEndpoint } from "./speech-endpoint.ts";
import { toSpeechError } from "./speech-errors.ts";
import type { PooledClient } from "./warm-pool.ts";

/** The service's raw formats; any other format would put a header before every chunk. */
const rawFormats = {
  8_000: SpeechSynthesisOutputFormat.Raw8Khz16BitMonoPcm,
  16_000: SpeechSynthesisOutputFormat.Raw16Khz16BitMonoPcm,
  24_000: SpeechSynthesisOutputFormat.Raw24Khz16BitMonoPcm,
  48_000: SpeechSynthesisOutputFormat.Raw48Khz16BitMonoPcm,
} as const;

export type SynthesisRateHz = keyof typeof rawFormats;

export function isSynthesisRate(rateHz: number): rateHz is SynthesisRateHz {
  return rateHz in rawFormats;
}

export type SynthesisClientOptions = {
  readonly endpoint: SpeechEndpoint;
  readonly sampleRateHz: SynthesisRateHz;
  /** The deployment id of a custom voice. */
  readonly endpointId?: string | undefined;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type ReportedWord = { readonly text: string; readonly startMs: number; readonly endMs: number };

export type SpeakEvents = {
  onAudio(bytes: ArrayBuffer): void;
  onWord(word: ReportedWord): void;
  /** Called exactly once. */
  onEnd(error: VoiceError | undefined): void;
};

export class SynthesisClient implements PooledClient {
  readonly #synthesizer: SpeechSynthesizer;
  readonly #watch: ConnectionWatch;
  readonly #logger: Logger;
  #isClosed = false;
  #isConnected = true;
  #onUnusable: () => void = () => {};
  #speaking: SpeakEvents | undefined;

  static async connect(options: SynthesisClientOptions, signal: AbortSignal): Promise<SynthesisClient> {
    prepareSpeechSdk();
    const config = await createSpeechConfig(options.endpoint);
    signal.throwIfAborted();
    if (options.endpointId !== undefined) config.endpointId = options.endpointId;
    config.speechSynthesisOutputFormat = rawFormats[options.sampleRateHz];
    const client = new SynthesisClient(new SpeechSynthesizer(config, null), options.logger);
    try {
      const connection = Connection.fromSynthesizer(client.#synthesizer);
      await awaitConnection(connection, { timeoutMs: options.connectTimeoutMs, clock: options.clock }, signal);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  private constructor(synthesizer: SpeechSynthesizer, logger: Logger) {
    this.#synthesizer = synthesizer;
    this.#logger = logger;
    this.#watch = watchConnections(synthesizer, () => {
      this.#isConnected = false;
      // The SDK does not report a normal closure in mid-utterance.
      this.#end(this.#failure(""));
      this.#onUnusable();
    });
    synthesizer.synthesizing = (_, { result }) => this.#speaking?.onAudio(result.audioData);
    synthesizer.wordBoundary = (_, { boundaryType, text, audioOffset, duration }) => {
      if (boundaryType !== SpeechSynthesisBoundaryType.Word) return;
      const startMs = audioOffset / 10_000;
      this.#speaking?.onWord({ text, startMs, endMs: startMs + duration / 10_000 });
    };
  }

  isUsable(): boolean {
    return this.#isConnected && !this.#isClosed;
  }

  onUnusable(listener: () => void): void {
    this.#onUnusable = listener;
  }

  speak(ssml: string, events: SpeakEvents): void {
    this.#speaking = events;
    this.#synthesizer.speakSsmlAsync(
      ssml,
      ({ reason, errorDetails }) => {
        const isComplete = reason === ResultReason.SynthesizingAudioCompleted;
        this.#end(isComplete ? undefined : this.#failure(errorDetails));
      },
      (details) => this.#end(this.#failure(details)),
    );
  }

  /** Asks the service to end the utterance; `onEnd` then follows soon. False if the SDK cannot do this. */
  stop(): boolean {
    return requestStop(this.#synthesizer, () => this.#end(this.#failure("")));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end(new VoiceError("upstream_unavailable", "the synthesiser was closed"));
    this.#watch.abandon();
    this.#synthesizer.close(undefined, () => {
      this.#logger.debug({}, "a synthesiser closed with an error");
    });
  }

  #end(error: VoiceError | undefined): void {
    const events = this.#speaking;
    this.#speaking = undefined;
    events?.onEnd(error);
  }

  #failure(details: string): VoiceError {
    return toSpeechError({ details, closeCode: this.#watch.lastCloseCode() });
  }
}
