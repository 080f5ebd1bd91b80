/**
 * The recognition side of one connection: audio in, hypotheses and phrases out, a turn for each speech.context. The messages are those that
 * `microsoft-cognitiveservices-speech-sdk` 1.52 sends and reads (common.speech/ServiceMessages, ServiceRecognizerBase).
 */
import type { RecognisedText, RecognitionStream, Recogniser } from "@voice/provider-kit/ports/recogniser";
import { z } from "zod";
import { toTicks } from "./framing.ts";
import type { SpeechMessage } from "./framing.ts";
import type { SpeechSocket } from "./speech-socket.ts";

const contextSchema = z.object({
  dgi: z
    .object({ groups: z.array(z.object({ items: z.array(z.object({ text: z.string() })).optional() })).optional() })
    .optional(),
  languageId: z.object({ languages: z.array(z.string()) }).optional(),
  phraseDetection: z
    .object({
      language: z.string().optional(),
      conversation: z
        .object({ segmentation: z.object({ segmentationSilenceTimeoutMs: z.number().optional() }).optional() })
        .optional(),
    })
    .optional(),
});

const wavHeaderBytes = 44;
const defaultSegmentationMs = 800;
/**
 * The service sends a phrase without words when the caller says nothing, so that the client can drop the audio it
 * buffers.
 */
const silenceReportMs = 15_000;

type Turn = {
  readonly requestId: string;
  readonly context: z.infer<typeof contextSchema>;
  readonly language: string;
  stream?: RecognitionStream;
  sampleRateHz: number;
  heardMs: number;
  acknowledgedMs: number;
};

export class RecognitionConnection {
  readonly #socket: SpeechSocket;
  readonly #recogniser: Recogniser;
  readonly #abort = new AbortController();
  #turn: Turn | undefined;
  /** Messages are handled strictly in order, even while a recogniser is being opened. */
  #tail: Promise<void> = Promise.resolve();

  constructor(socket: SpeechSocket, recogniser: Recogniser) {
    this.#socket = socket;
    this.#recogniser = recogniser;
    socket.reach("open");
  }

  receive(message: SpeechMessage): void {
    this.#tail = this.#tail.then(() => this.#handle(message)).catch(() => this.#socket.close(1007, "bad message"));
  }

  close(): void {
    this.#abort.abort();
    this.#endTurn();
  }

  async #handle({ path, requestId, body }: SpeechMessage): Promise<void> {
    if (this.#abort.signal.aborted) return;
    if (path === "speech.context" && body.kind === "text") this.#startTurn(requestId, body.text);
    if (path === "audio" && body.kind === "binary") await this.#hear(body.bytes);
  }

  #startTurn(requestId: string, contextJson: string): void {
    this.#endTurn();
    const context = contextSchema.parse(JSON.parse(contextJson));
    const language =
      context.languageId?.languages[0] ??
      context.phraseDetection?.language ??
      this.#socket.url.searchParams.get("language") ??
      "en-US";
    this.#turn = { requestId, context, language, sampleRateHz: 16_000, heardMs: 0, acknowledgedMs: 0 };
    this.#socket.sendText("turn.start", requestId, { context: { serviceTag: requestId } });
    this.#socket.reach("turn");
  }

  async #hear(bytes: Buffer): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined) return;
    if (turn.stream === undefined) {
      if (bytes.length < wavHeaderBytes) throw new SyntaxError("the first audio of a turn is its RIFF header");
      turn.sampleRateHz = bytes.readUInt32LE(24);
      turn.stream = await this.#open(turn);
      return;
    }
    if (bytes.length === 0) {
      turn.stream.flush();
      this.#socket.sendText("speech.endDetected", turn.requestId, { Offset: toTicks(turn.heardMs) });
      this.#socket.sendText("turn.end", turn.requestId, {});
      this.#endTurn();
      return;
    }
    const samples = new Int16Array(bytes.length >> 1);
    for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(index * 2);
    turn.heardMs += (samples.length / turn.sampleRateHz) * 1000;
    turn.stream.write(samples);
    if (turn.heardMs - turn.acknowledgedMs >= silenceReportMs)
      this.#sendNoMatch(turn, "InitialSilenceTimeout", turn.heardMs);
  }

  async #open(turn: Turn): Promise<RecognitionStream> {
    const { context, language, sampleRateHz } = turn;
    const phrases = (context.dgi?.groups ?? []).flatMap(({ items = [] }) => items.map(({ text }) => text));
    let speaking = false;
    return await this.#recogniser.open(
      {
        sampleRateHz,
        language,
        candidateLanguages: context.languageId?.languages ?? [],
        segmentationSilenceMs:
          context.phraseDetection?.conversation?.segmentation?.segmentationSilenceTimeoutMs ?? defaultSegmentationMs,
        hints: { examples: [], phrases },
      },
      {
        onPartial: (partial) => {
          if (this.#turn !== turn) return;
          turn.acknowledgedMs = partial.endMs;
          if (!speaking)
            this.#socket.sendText("speech.startDetected", turn.requestId, { Offset: toTicks(partial.startMs) });
          speaking = true;
          this.#socket.sendText("speech.hypothesis", turn.requestId, {
            Text: partial.text,
            ...this.#fields(turn, partial),
          });
          this.#socket.reach("middle");
        },
        onFinal: (final) => {
          speaking = false;
          if (this.#turn !== turn || this.#socket.reach("end")) return;
          turn.acknowledgedMs = final.endMs;
          if (final.text === "") this.#sendNoMatch(turn, "NoMatch", final.endMs);
          else {
            this.#socket.sendText("speech.phrase", turn.requestId, {
              RecognitionStatus: "Success",
              DisplayText: final.text,
              Channel: 0,
              ...this.#fields(turn, final),
            });
          }
        },
        onError: () => this.#socket.close(1011, "recogniser failed"),
      },
      this.#abort.signal,
    );
  }

  #fields({ context }: Turn, { startMs, endMs, language }: RecognisedText): Record<string, unknown> {
    return {
      Offset: toTicks(startMs),
      Duration: toTicks(endMs - startMs),
      ...(context.languageId !== undefined && { PrimaryLanguage: { Language: language, Confidence: "High" } }),
    };
  }

  #sendNoMatch(turn: Turn, status: "NoMatch" | "InitialSilenceTimeout", atMs: number): void {
    turn.acknowledgedMs = atMs;
    this.#socket.sendText("speech.phrase", turn.requestId, {
      RecognitionStatus: status,
      Offset: toTicks(atMs),
      Duration: 0,
      Channel: 0,
    });
  }

  #endTurn(): void {
    this.#turn?.stream?.close();
    this.#turn = undefined;
  }
}
