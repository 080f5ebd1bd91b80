/** A call's audio stream: sends the caller's voice as it is spoken, and passes on the audio that comes back. */
import { randomUUID } from "node:crypto";
import { parseJson } from "@voice/shared/platform/parse-json";
import { z } from "zod";
import type { MediaStreamingRequest } from "./call-requests.ts";
import { CallStream } from "./call-stream.ts";
import type { StreamEvents, StreamOptions } from "./call-stream.ts";

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

export class MediaStream extends CallStream<MediaStreamOptions> {
  constructor(options: MediaStreamOptions) {
    super(options, options.request.transportUrl);
  }

  protected introduction(): unknown {
    return metadataOf(sampleRateOf(this.options.request));
  }

  speak(frame: Int16Array): void {
    const { clock, participant } = this.options;
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    this.send({
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
    if (this.options.request.enableDtmfTones) this.send({ kind: "DtmfData", dtmfData: { data: key } });
  }

  protected override receive(text: string): void {
    const { events, request } = this.options;
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
