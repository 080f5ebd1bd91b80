/**
 * One connected recogniser of the SDK. It is used for one stream and then discarded, because its audio queue survives a stop, and anything
 * left in it would be recognised in the next call.
 */
import type { Segmentation } from "@voice/shared/config/speech-settings";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import {
  AudioConfig,
  AudioInputStream,
  AudioStreamFormat,
  AutoDetectSourceLanguageConfig,
  CancellationReason,
  Connection,
  NoMatchDetails,
  NoMatchReason,
  PhraseListGrammar,
  PropertyId,
  ResultReason,
  SpeechRecognizer,
} from "microsoft-cognitiveservices-speech-sdk";
import type { PushAudioInputStream, SpeechRecognitionResult } from "microsoft-cognitiveservices-speech-sdk";
import type { RecognisedText, RecognitionOptions } from "@voice/provider-kit/ports/recogniser";
import { awaitConnection } from "./await-connection.ts";
import { prepareSpeechSdk, sendInChunksOf, watchConnections } from "./sdk-internals.ts";
import type { ConnectionWatch } from "./sdk-internals.ts";
import { createSpeechConfig, readAuthorization } from "./speech-endpoint.ts";
import type { SpeechEndpoint } from "./speech-endpoint.ts";
import { toSpeechError } from "./speech-errors.ts";
import type { PooledClient } from "./warm-pool.ts";

/** The settings with which a recogniser is created; they cannot be changed afterwards. */
export type RecognitionProfile = Omit<RecognitionOptions, "hints" | "connectsAnew">;

/** Recognition settings that are the same for every session. */
export type RecognitionModel = {
  /** A custom speech model's endpoint id; the service's own model if absent. */
  readonly endpointId?: string | undefined;
  readonly segmentation: Segmentation;
};

export type RecognitionClientOptions = {
  readonly endpoint: SpeechEndpoint;
  readonly profile: RecognitionProfile;
  readonly model: RecognitionModel;
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Positions on the service's timeline. */
export type RecognitionClientEvents = {
  onPartial(text: RecognisedText): void;
  onFinal(text: RecognisedText): void;
  onError(error: VoiceError): void;
};

const frameMs = 20;
const bytesPerSample = 2;
/** Limits of the service. */
const mostPhrases = 500;
const mostLanguages = 10;
/** Tokens live for about an hour and the provider caches them; a reconnect in a long call needs a fresh one. */
const tokenRefreshMs = 240_000;
const closeCodeGraceMs = 30;

export class RecognitionClient implements PooledClient {
  readonly #options: RecognitionClientOptions;
  /** Which of several languages is spoken. */
  readonly #identifies: boolean;
  readonly #audio: PushAudioInputStream;
  readonly #recognizer: SpeechRecognizer;
  readonly #phrases: PhraseListGrammar;
  readonly #watch: ConnectionWatch;
  #state: "idle" | "started" | "closed" = "idle";
  #isConnected = true;
  #onUnusable: () => void = () => {};
  #cancelRefresh: CancelTimer = () => {};

  static async connect(options: RecognitionClientOptions, signal: AbortSignal): Promise<RecognitionClient> {
    prepareSpeechSdk();
    const { endpoint, profile, model } = options;
    const config = await createSpeechConfig(endpoint);
    signal.throwIfAborted();
    config.speechRecognitionLanguage = profile.language;
    if (model.endpointId !== undefined) config.endpointId = model.endpointId;
    // If a segmentation silence were set as well, the SDK would use that silence.
    if (model.segmentation === "semantic") config.setProperty(PropertyId.Speech_SegmentationStrategy, "Semantic");
    else config.setProperty(PropertyId.Speech_SegmentationSilenceTimeoutMs, String(profile.segmentationSilenceMs));
    // By default a stop waits indefinitely for the service's last message.
    config.setProperty(PropertyId.Recognizer_StopTimeoutMs, "1000");
    // Audio is sent as it arrives; otherwise the SDK would throttle replayed or flushed audio to twice real time.
    config.setProperty("SPEECH-TransmitLengthBeforThrottleMs", "600000");
    const audio = AudioInputStream.createPushStream(
      AudioStreamFormat.getWaveFormatPCM(profile.sampleRateHz, 8 * bytesPerSample, 1),
    );
    sendInChunksOf(audio, (profile.sampleRateHz * bytesPerSample * frameMs) / 1000);
    const source = AudioConfig.fromStreamInput(audio);
    const languages = languagesOf(profile);
    let recognizer: SpeechRecognizer;
    if (languages.length > 1) {
      config.setProperty(PropertyId.SpeechServiceConnection_LanguageIdMode, "Continuous");
      const candidates = AutoDetectSourceLanguageConfig.fromLanguages(languages);
      recognizer = SpeechRecognizer.FromConfig(config, candidates, source);
    } else {
      recognizer = new SpeechRecognizer(config, source);
    }
    const client = new RecognitionClient(options, audio, recognizer);
    try {
      const connection = Connection.fromRecognizer(recognizer);
      await awaitConnection(connection, { timeoutMs: options.connectTimeoutMs, clock: options.clock }, signal);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  private constructor(options: RecognitionClientOptions, audio: PushAudioInputStream, recognizer: SpeechRecognizer) {
    this.#options = options;
    this.#identifies = languagesOf(options.profile).length > 1;
    this.#audio = audio;
    this.#recognizer = recognizer;
    this.#phrases = PhraseListGrammar.fromRecognizer(recognizer);
    this.#watch = watchConnections(recognizer, () => {
      if (this.#state !== "idle") return; // once started, the SDK reconnects and replays by itself
      this.#isConnected = false;
      this.#onUnusable();
    });
  }

  isUsable(): boolean {
    return this.#isConnected && this.#state === "idle";
  }

  onUnusable(listener: () => void): void {
    this.#onUnusable = listener;
  }

  setPhrases(phrases: readonly string[]): void {
    this.#phrases.clear();
    if (phrases.length > 0) this.#phrases.addPhrases(phrases.slice(0, mostPhrases));
  }

  start(events: RecognitionClientEvents): void {
    this.#state = "started";
    const recognizer = this.#recognizer;
    let heardWords = false;
    recognizer.recognizing = (_, { result }) => {
      heardWords = true;
      events.onPartial(this.#toText(result));
    };
    recognizer.recognized = (_, { result }) => {
      const text = this.#toText(result);
      // Silence is reported in two ways: explicitly, and as a success without words. Neither is a segment.
      if (text.text !== "" || heardWords || isSoundWithoutWords(result)) events.onFinal(text);
      heardWords = false;
    };
    // The start's success callback comes even if the connection failed; only this event is reliable.
    recognizer.canceled = (_, { reason, errorDetails }) => {
      if (reason === CancellationReason.Error) this.#fail(errorDetails ?? "", events);
    };
    recognizer.startContinuousRecognitionAsync(undefined, (details) => this.#fail(details, events));
    this.#keepTokenFresh();
  }

  /** The buffer is retained, so pass a copy. */
  write(samples: ArrayBuffer): void {
    if (this.#state !== "closed") this.#audio.write(samples);
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#cancelRefresh();
    const recognizer = this.#recognizer;
    recognizer.recognizing = ignore;
    recognizer.recognized = ignore;
    recognizer.canceled = ignore;
    this.#audio.close();
    // The socket is closed first, because the SDK's own shutdown would wait for the service to agree.
    this.#watch.abandon();
    recognizer.close(undefined, () => {
      this.#options.logger.debug({}, "a recogniser closed with an error");
    });
  }

  /** The SDK may notice that a socket is closing before the close code is available; the code is worth a short wait. */
  #fail(details: string, events: RecognitionClientEvents): void {
    this.#cancelRefresh();
    this.#options.clock.setTimer(this.#watch.lastCloseCode() === undefined ? closeCodeGraceMs : 0, () => {
      if (this.#state === "closed") return;
      events.onError(toSpeechError({ details, closeCode: this.#watch.lastCloseCode() }));
    });
  }

  #toText(result: SpeechRecognitionResult): RecognisedText {
    return {
      text: result.text ?? "",
      startMs: ticksToMs(result.offset),
      endMs: ticksToMs(result.offset + result.duration),
      language: result.language || this.#options.profile.language,
      ...(this.#identifies && result.language && { isIdentified: true }),
    };
  }

  #keepTokenFresh(): void {
    const { endpoint, clock, logger } = this.#options;
    const { credential } = endpoint;
    if (credential.kind !== "token") return;
    const refresh = async (): Promise<void> => {
      try {
        const authorization = await readAuthorization(credential);
        if (this.#state === "started") this.#recognizer.authorizationToken = authorization;
      } catch (error) {
        logger.warn({ error }, "no fresh token for a live recogniser");
      }
      if (this.#state === "started") this.#keepTokenFresh();
    };
    this.#cancelRefresh = clock.setTimer(tokenRefreshMs, () => {
      void refresh();
    });
  }
}

function languagesOf({ language, candidateLanguages }: RecognitionProfile): string[] {
  return [...new Set([language, ...candidateLanguages])].slice(0, mostLanguages);
}

const ignore = (): void => {};

function isSoundWithoutWords(result: SpeechRecognitionResult): boolean {
  return (
    result.reason === ResultReason.NoMatch &&
    NoMatchDetails.fromResult(result).reason !== NoMatchReason.InitialSilenceTimeout
  );
}

function ticksToMs(ticks: number): number {
  return ticks / 10_000;
}
