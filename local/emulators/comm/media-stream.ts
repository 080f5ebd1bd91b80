/** A call's audio stream: sends the caller's voice as it is spoken, and passes on the audio that comes back. */
import { randomUUID } from "node:crypto";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import type { MediaStreamingRequest } from "./call-requests.ts";
import { ServiceSocket } from "./service-socket.ts";
import type { CallStream, StreamEvents, StreamOptions } from "./service-socket.ts";

interface MediaStreamEvents extends StreamEvents {
  onAudio(samples: Int16Array): void;
  onStopAudio(): void;
}

interface MediaStreamOptions extends StreamOptions {
  readonly request: MediaStreamingRequest;
  readonly events: MediaStreamEvents;
}

export function sampleRateOf({ audioFormat }: MediaStreamingRequest): number {
  return audioFormat === "Pcm24KMono" ? 24_000 : 16_000;
}

/** Both letter cases are in use: the samples write `Kind`, the SDK's helpers `kind`. */
const outgoing = z.preprocess(
  lowerKeys,
  z.looseObject({
    kind: z.string().transform((kind) => kind.toLowerCase()),
    audiodata: z.preprocess(lowerKeys, z.looseObject({ data: z.base64() })).nullish(),
  }),
);

export class MediaStream implements CallStream {
  readonly #options: MediaStreamOptions;
  readonly #socket: ServiceSocket;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
    this.#socket = new ServiceSocket({
      ...options,
      transportUrl: options.request.transportUrl,
      introduction: () => metadataOf(sampleRateOf(options.request)),
      onMessage: (text) => this.#receive(text),
    });
  }

  start(): void {
    this.#socket.start();
  }

  speak(frame: Int16Array): void {
    const { clock, participant } = this.#options;
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    this.#socket.send({
      kind: "AudioData",
      audioData: {
        timestamp: new Date(clock.wallNow()).toISOString(),
        participantRawID: participant,
        data: bytes.toString("base64"),
        silent: frame.every((sample) => sample === 0),
      },
    });
  }

  press(key: string): void {
    if (this.#options.request.enableDtmfTones) this.#socket.send({ kind: "DtmfData", dtmfData: { data: key } });
  }

  end(): void {
    this.#socket.end();
  }

  break(): void {
    this.#socket.break();
  }

  #receive(text: string): void {
    const { events, request } = this.#options;
    const message = outgoing.safeParse(parseJson(text));
    // What is not a frame of this protocol is ignored by the service as well.
    if (!message.success || !request.enableBidirectional) return;
    const { kind, audiodata } = message.data;
    if (kind === "stopaudio") events.onStopAudio();
    if (kind === "audiodata" && audiodata) events.onAudio(toSamples(Buffer.from(audiodata.data, "base64")));
  }
}

function metadataOf(sampleRate: number): unknown {
  return {
    kind: "AudioMetadata",
    audioMetadata: {
      subscriptionId: randomUUID(),
      encoding: "PCM",
      sampleRate,
      channels: 1,
      length: (sampleRate / 50) * 2,
    },
  };
}

function lowerKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
}

function toSamples(bytes: Buffer): Int16Array {
  const copy = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return new Int16Array(copy.buffer);
}
