/** The synthesis side of one connection: SSML in, audio and word boundaries out, one turn at a time. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { z } from "zod";
import { createProtocolId, formatAudioMessage, toTicks } from "./framing.ts";
import type { SpeechMessage } from "./framing.ts";
import type { SpeechSocket } from "./speech-socket.ts";
import { parseSsml } from "./ssml.ts";

const contextSchema = z.object({
  synthesis: z.object({ audio: z.object({ outputFormat: z.string() }) }),
});
const controlSchema = z.object({ action: z.string() });
const rawFormat = /^raw-(\d+)(khz|hz)-16bit-mono-pcm$/;

export class SynthesisConnection {
  readonly #socket: SpeechSocket;
  readonly #synthesiser: Synthesiser;
  /** Where given, any other voice is refused as the service refuses an unknown one. */
  readonly #voices: ReadonlySet<string> | undefined;
  #sampleRateHz = 16_000;
  #turn: AbortController | undefined;

  constructor(socket: SpeechSocket, synthesiser: Synthesiser, voices: ReadonlySet<string> | undefined) {
    this.#socket = socket;
    this.#synthesiser = synthesiser;
    this.#voices = voices;
    socket.reach("open");
  }

  receive(message: SpeechMessage): void {
    this.#handle(message).catch(() => this.#socket.close(1007, "bad message"));
  }

  close(): void {
    this.#turn?.abort();
  }

  async #handle({ path, requestId, body }: SpeechMessage): Promise<void> {
    if (body.kind !== "text") return;
    if (path === "synthesis.context") {
      const { outputFormat } = contextSchema.parse(JSON.parse(body.text)).synthesis.audio;
      const [, digits, unit] = rawFormat.exec(outputFormat) ?? [];
      if (digits === undefined)
        throw new VoiceError("audio_format_unsupported", `the emulator does not speak ${outputFormat}`);
      this.#sampleRateHz = Number(digits) * (unit === "khz" ? 1000 : 1);
    }
    if (path === "synthesis.control" && controlSchema.parse(JSON.parse(body.text)).action === "stop")
      this.#turn?.abort();
    if (path === "ssml") await this.#speak(requestId, body.text);
  }

  async #speak(requestId: string, ssml: string): Promise<void> {
    const { text, voice, language } = parseSsml(ssml);
    if (this.#voices !== undefined && !this.#voices.has(voice.name)) {
      this.#socket.close(1007, `Unsupported voice ${voice.name}.`);
      return;
    }
    const turn = new AbortController();
    this.#turn = turn;
    const streamId = createProtocolId();
    this.#socket.sendText("turn.start", requestId, { context: { serviceTag: requestId } });
    if (this.#socket.reach("turn")) return;
    // Audio of a stream that was not announced is dropped by the SDK.
    this.#socket.sendText("response", requestId, {
      context: { serviceTag: requestId },
      audio: { type: "inline", streamId },
    });
    const request = { text, voice, language, sampleRateHz: this.#sampleRateHz };
    try {
      await this.#synthesiser.synthesise(
        request,
        {
          onAudio: (samples) => {
            if (turn.signal.aborted) return;
            const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
            this.#socket.send(formatAudioMessage(requestId, streamId, bytes));
            this.#socket.reach("middle");
          },
          onWord: ({ textOffset, textLength, startMs, endMs }) => {
            const word = text.slice(textOffset, textOffset + textLength);
            const Data = {
              Offset: toTicks(startMs),
              Duration: toTicks(endMs - startMs),
              text: { Text: word, Length: word.length, BoundaryType: "WordBoundary" },
            };
            this.#socket.sendText("audio.metadata", requestId, { Metadata: [{ Type: "WordBoundary", Data }] });
          },
        },
        turn.signal,
      );
    } catch (error) {
      if (!turn.signal.aborted) throw error;
    }
    if (!this.#socket.reach("end")) this.#socket.sendText("turn.end", requestId, {});
  }
}
