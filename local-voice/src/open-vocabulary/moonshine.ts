/**
 * Moonshine tiny, a recogniser of English without a grammar (27 million parameters, in 8-bit integers), run by sherpa-onnx. Blocks the
 * thread while it recognises: 25 to 60 ms for each second of speech.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import llamaTokenizer from "llama-tokenizer-js";

/** The rate that the model was trained at. */
export const openRateHz = 16_000;

/** `samples`: PCM16 mono at that rate. */
export type RecogniseSpeech = (samples: Int16Array) => string;

/** The runtime's own name for the number of mel bands; the model takes samples and ignores it. */
const featureDim = 80;

/** Throws where the runtime has no build for this machine. */
export async function loadMoonshine(): Promise<RecogniseSpeech> {
  const { default: sherpa } = await import("sherpa-onnx-node");
  const weights = path.join(
    path.dirname(fileURLToPath(import.meta.resolve("@moonshine-ai/moonshine-js"))),
    "model/tiny/quantized",
  );
  const recogniser = withVocabulary(
    (tokens) =>
      new sherpa.OfflineRecognizer({
        featConfig: { sampleRate: openRateHz, featureDim },
        modelConfig: {
          moonshine: {
            encoder: path.join(weights, "encoder_model.onnx"),
            mergedDecoder: path.join(weights, "decoder_model_merged.onnx"),
          },
          tokens,
          numThreads: 1,
          provider: "cpu",
          debug: false,
        },
      }),
  );
  return (samples) => {
    const stream = recogniser.createStream();
    stream.acceptWaveform({ samples: Float32Array.from(samples, (sample) => sample / 32_768), sampleRate: openRateHz });
    recogniser.decode(stream);
    return recogniser.getResult(stream).text.trim();
  };
}

/** The runtime reads the vocabulary from a file, once: a token in base64 and its number on each line. */
function withVocabulary<Result>(load: (file: string) => Result): Result {
  const folder = mkdtempSync(path.join(tmpdir(), "vocabulary-"));
  try {
    const file = path.join(folder, "tokens.txt");
    const lines = llamaTokenizer.vocabById.map((token, id) => `${Buffer.from(token).toString("base64")}\t${id}\n`);
    writeFileSync(file, lines.join(""));
    return load(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
