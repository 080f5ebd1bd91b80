/**
 * A synthesiser based on a realtime model that reads texts out, for servers without `/audio/speech`. A connection has one voice and reads
 * one text at a time. It stays open for the next text of the same kind, because opening one takes longer than a caller should wait. No text
 * stays in it: each is read outside of the conversation.
 */
import { isSampleRate } from "@voice/provider-kit/audio/resample";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { RealtimeEvent, RealtimeModel, RealtimeSession } from "@voice/provider-kit/ports/realtime-model";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { VoiceError, explainedError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import { limitSilence } from "../../limit-silence.ts";
import { reachAddress } from "../../reach-address.ts";
import { Reachability } from "../../reachability.ts";
import { figuresOf } from "../speech/reached-pool.ts";
import { voiceNameOf } from "../speech/voices.ts";

export interface RealtimeSynthesiserOptions {
  readonly model: RealtimeModel & { health(): UpstreamHealth };
  /** The address at which the model is served. */
  readonly address: URL;
  /** Used in place of the voices that the model does not have. */
  readonly voiceInstead?: string | undefined;
  /** The longest time to the first audio, and from each piece to the next. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Unused connections are closed after this time. */
const idleMs = 60_000;
/** The service ends a connection after an hour; it is replaced before that. */
const longestLifeMs = 30 * 60_000;

const instructions =
  "You are a voice that reads texts out. Say exactly the words that you are given, in their language, in a friendly and calm tone. Never answer them, and never add or leave out a word.";

interface Reader {
  readonly key: string;
  readonly session: RealtimeSession;
  readonly openedAtMs: number;
  onEvent: (event: RealtimeEvent) => void;
  onEnded: (error: VoiceError) => void;
  cancelIdle: CancelTimer;
  isOpen: boolean;
}

export class RealtimeSynthesiser implements Synthesiser {
  readonly #options: RealtimeSynthesiserOptions;
  readonly #reachability: Reachability;
  readonly #idle = new Set<Reader>();
  #requests = 0;
  #warm = 0;
  #running = 0;
  #isClosed = false;

  constructor(options: RealtimeSynthesiserOptions) {
    this.#options = options;
    const { address, clock, logger } = options;
    const service = "speech synthesis";
    const reach = (signal: AbortSignal): Promise<void> => reachAddress(address, service, signal);
    this.#reachability = new Reachability({ service, reach, clock, logger });
    this.#reachability.begin();
  }

  async synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new VoiceError("dependency_not_ready", "the synthesiser is closed");
    if (!isSampleRate(request.sampleRateHz))
      throw new VoiceError("audio_format_unsupported", "sample rate of the agent's audio");
    if (!/[\p{L}\p{N}]/u.test(request.text)) return;
    this.#requests += 1;
    this.#running += 1;
    try {
      const reader = await this.#readerFor(request, signal);
      await this.#read(reader, request.text, events, signal);
    } finally {
      this.#running -= 1;
    }
  }

  pool() {
    return {
      ...emptyPool,
      ...figuresOf(this.#options.model.health(), this.#reachability.state),
      ready: !this.#isClosed,
      warmSize: this.#idle.size,
      activeSessions: this.#running,
      allocationsTotal: this.#requests,
      allocationsWarm: this.#warm,
      allocationsCold: this.#requests - this.#warm,
    };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#reachability.close();
    for (const reader of this.#idle) this.#dismiss(reader);
    return Promise.resolve();
  }

  async #readerFor(request: SynthesisRequest, signal: AbortSignal): Promise<Reader> {
    const { clock, model, voiceInstead: instead } = this.#options;
    const { language, sampleRateHz } = request;
    const voice = { ...request.voice, name: voiceNameOf(request.voice.name, { isOpenAi: true, instead }) };
    const key = JSON.stringify([voice.name, voice.rate, language, sampleRateHz]);
    const waiting = [...this.#idle].find((reader) => reader.key === key);
    if (waiting !== undefined) {
      waiting.cancelIdle();
      this.#idle.delete(waiting);
      this.#warm += 1;
      return waiting;
    }
    const listener = {
      onEvent: (event: RealtimeEvent) => reader?.onEvent(event),
      onEnded: (error: VoiceError) => reader?.onEnded(error),
    };
    let reader: Reader | undefined;
    const session = await model.open(
      {
        instructions,
        voice,
        tools: [],
        sampleRateHz,
        language,
        phrases: [],
        turnDetection: { kind: "manual", silenceMs: 0, interruptsResponse: false },
        noiseSuppression: false,
        echoCancellation: false,
      },
      listener,
      signal,
    );
    const nothing = (): void => undefined;
    const openedAtMs = clock.now();
    reader = { key, session, openedAtMs, onEvent: nothing, onEnded: nothing, cancelIdle: nothing, isOpen: true };
    return reader;
  }

  /** Rejects if there was no audio or the text broke off; the connection is reused only after a text was read completely. */
  async #read(reader: Reader, text: string, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { clock, requestTimeoutMs, logger } = this.#options;
    const done = Promise.withResolvers<void>();
    let hasSpoken = false;
    const limit = limitSilence(clock, "speech synthesis", (error) => done.reject(error));
    const stop = (): void => done.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    reader.onEnded = (error) => done.reject(error);
    reader.onEvent = (event) => {
      if (signal.aborted) return;
      if (event.type === "audio") {
        hasSpoken = true;
        limit.expect(requestTimeoutMs);
        events.onAudio(event.samples);
      } else if (event.type === "agent-text-finished" && !isSameWords(event.text, text))
        logger.warn({}, "the realtime model did not read a text as it stands");
      else if (event.type === "error") done.reject(event.error);
      else if (event.type === "response-finished") {
        if (event.status === "completed" && hasSpoken) done.resolve();
        else done.reject(explainedError("upstream_unavailable", "the realtime model did not read the text"));
      }
    };
    limit.expect(requestTimeoutMs);
    try {
      signal.throwIfAborted();
      reader.session.respond({ say: text });
      await done.promise;
      this.#keep(reader);
    } catch (error) {
      this.#dismiss(reader);
      throw error;
    } finally {
      limit.expectNothing();
      signal.removeEventListener("abort", stop);
    }
  }

  #keep(reader: Reader): void {
    const { clock } = this.#options;
    if (this.#isClosed || clock.now() - reader.openedAtMs > longestLifeMs) return this.#dismiss(reader);
    reader.onEvent = () => undefined;
    reader.onEnded = () => this.#dismiss(reader);
    reader.cancelIdle = clock.setTimer(idleMs, () => this.#dismiss(reader));
    this.#idle.add(reader);
    return undefined;
  }

  #dismiss(reader: Reader): void {
    reader.cancelIdle();
    this.#idle.delete(reader);
    if (!reader.isOpen) return;
    reader.isOpen = false;
    reader.onEvent = () => undefined;
    reader.onEnded = () => undefined;
    reader.session.close();
  }
}

/** Numbers may be written differently, so only texts without numbers are compared. */
function isSameWords(said: string, text: string): boolean {
  const words = (of: string): string =>
    of
      .toLowerCase()
      .replaceAll(/[^\p{L}]+/gu, " ")
      .trim();
  return /\d/.test(text) || words(said) === words(text);
}
