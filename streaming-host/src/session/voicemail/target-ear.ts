/**
 * EFFECT-16: listens to the person who answers a transferred call, while the caller hears music. A machine is recognised by its words or
 * its beep. Long speech proves nothing here: the announcement of a queue is long too, and so is the echo of our own words.
 */
import type { RecognitionOptions, RecognitionStream, Recogniser } from "@voice/provider-kit/ports/recogniser";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { MachinePhrases, VoicemailEvidence } from "./voicemail-detector.ts";
import { createVoicemailListener } from "./voicemail-listener.ts";
import type { VoicemailListener, VoicemailListenerOptions } from "./voicemail-listener.ts";

export interface TargetEarOptions extends Pick<
  VoicemailListenerOptions,
  "createVoiceActivityDetector" | "inputRateHz" | "sensitivity"
> {
  readonly recogniser: Pick<Recogniser, "open">;
  /** The language of the conversation when somebody has answered. */
  readonly language: () => {
    readonly tag: string;
    readonly pack: MachinePhrases;
  };
  readonly logger: Logger;
}

export type TargetWatch = Pick<Listening, "found" | "goesOn" | "hasSpoken" | "stop">;

/** Somebody has picked up. */
export type ListenToTarget = () => TargetWatch;

/** How long talk is long: as long as the greetings by which machines are recognised (VM-1). */
const longTalkMs = 5000;
const segmentationSilenceMs = 800;

export class TargetEar {
  readonly #options: TargetEarOptions;
  #running: Listening | undefined;

  constructor(options: TargetEarOptions) {
    this.#options = options;
  }

  /** While the caller hears music, the call's audio comes from the other person. */
  hear(samples: Int16Array): void {
    this.#running?.hear(samples);
  }

  stop(): void {
    this.#running?.stop();
  }

  listen(): TargetWatch {
    this.stop();
    this.#running = new Listening(this.#options);
    return this.#running;
  }
}

class Listening {
  readonly #listener: VoicemailListener;
  readonly #abort = new AbortController();
  readonly #found = Promise.withResolvers<VoicemailEvidence>();
  #stream: RecognitionStream | undefined;

  constructor(options: TargetEarOptions) {
    const { tag, pack } = options.language();
    this.#listener = createVoicemailListener(
      { ...options, phrases: pack, isFound: false, judgesByLength: false, untilStopped: true },
      (finding) => {
        if (finding.type === "voicemail") this.#found.resolve(finding.evidence);
        else if (finding.type === "not_in_service") this.#found.resolve("words");
      },
    );
    void this.#openStream(options, tag);
  }

  /** Resolves when a machine was recognised. */
  get found(): Promise<VoicemailEvidence> {
    return this.#found.promise;
  }

  /** Whoever answered has talked for longer than people do then, and is still talking. */
  get goesOn(): boolean {
    return !this.#abort.signal.aborted && this.#listener.talkMs >= longTalkMs;
  }

  /** Whoever answered has made a sound that is speech, or words were recognised. */
  get hasSpoken(): boolean {
    return this.#listener.hasSpoken;
  }

  hear(samples: Int16Array): void {
    if (this.#abort.signal.aborted) return;
    this.#listener.hear(samples);
    this.#stream?.write(samples);
  }

  stop(): void {
    this.#abort.abort();
    this.#listener.stop();
    this.#stream?.close();
  }

  /** Never rejects: without a transcript, the beep can still be detected. */
  async #openStream({ recogniser, inputRateHz, logger }: TargetEarOptions, language: string): Promise<void> {
    const { signal } = this.#abort;
    const warn = (error: unknown): void =>
      logger.warn(
        { error, code: toVoiceError(error).code },
        "the words of somebody who takes a call are not recognised",
      );
    const options: RecognitionOptions = {
      sampleRateHz: inputRateHz,
      language,
      candidateLanguages: [],
      segmentationSilenceMs,
      hints: { examples: [], phrases: [] },
    };
    const read = ({ text }: { readonly text: string }): void => this.#listener.read(text);
    try {
      const stream = await recogniser.open(options, { onPartial: read, onFinal: read, onError: warn }, signal);
      if (signal.aborted) stream.close();
      else this.#stream = stream;
    } catch (error) {
      if (!signal.aborted) warn(error);
    }
  }
}
