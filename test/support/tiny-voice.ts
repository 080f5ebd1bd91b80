/**
 * A voice model of 500 bytes, for tests: 50 ms of a tone for each letter. It is a VITS of coqui's kind whose tokens are letters, so nothing but
 * the runtime itself is needed to run it. It has the inputs and properties that sherpa-onnx's
 * offline-tts-vits-model.cc reads.
 */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bytes,
  float,
  int64,
  node,
  number,
  onnxModel,
  valueInfo,
  type Bytes,
} from "@voice/local-voice/open-vocabulary/onnx-model-bytes";

export const tinyVoiceRateHz = 16_000;
const letterSamples = tinyVoiceRateHz / 20;

function tensor(name: string, type: number, dimensions: readonly number[], raw: ArrayBuffer): Bytes {
  const sizes = dimensions.flatMap((size) => number(1, size));
  return [...sizes, ...number(2, type), ...bytes(8, name), ...bytes(9, [...new Uint8Array(raw)])];
}

/** `AttributeProto` of an integer. */
function attribute(name: string, value: number): Bytes {
  return bytes(5, [...bytes(1, name), ...number(3, value), ...number(20, 2)]);
}

function model(properties: Readonly<Record<string, string>>): Uint8Array {
  const tone = Float32Array.from({ length: letterSamples }, (_, at) => 0.5 * Math.sin((2 * Math.PI * at) / 32));
  const graph = [
    ...bytes(1, node("Cast", ["length"], "letter_count", attribute("to", float))),
    ...bytes(1, node("Mul", ["letter_count", "length_scale"], "tone_count")),
    ...bytes(1, node("Cast", ["tone_count"], "tones", attribute("to", int64))),
    ...bytes(1, node("Concat", ["ones", "tones"], "repeats", attribute("axis", 0))),
    ...bytes(1, node("Tile", ["tone", "repeats"], "audio")),
    ...bytes(2, "tiny"),
    ...bytes(5, tensor("ones", int64, [2], BigInt64Array.from([1n, 1n]).buffer)),
    ...bytes(5, tensor("tone", float, [1, 1, letterSamples], tone.buffer)),
    ...bytes(11, valueInfo("letters", int64, ["N", "L"])),
    ...bytes(11, valueInfo("length", int64, ["N"])),
    ...["noise_scale", "length_scale", "noise_scale_w"].flatMap((name) => bytes(11, valueInfo(name, float, [1]))),
    ...bytes(12, valueInfo("audio", float, ["N", 1, "T"])),
  ];
  return onnxModel(graph, properties);
}

export const tinyVoiceProperties: Readonly<Record<string, string>> = {
  model_type: "vits",
  sample_rate: String(tinyVoiceRateHz),
  n_speakers: "1",
  language: "English",
  comment: "tiny",
  frontend: "characters",
  use_eos_bos: "0",
};

/** A folder with the model; `properties` in addition to, or in place of, its own. */
export async function writeTinyVoice(properties: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tiny-voice-"));
  const tokens = [...Array.from("abcdefghijklmnopqrstuvwxyz.,"), " "].map((letter, id) => `${letter} ${id}\n`);
  await writeFile(join(folder, "tokens.txt"), tokens.join(""));
  await writeFile(join(folder, "tiny.onnx"), model({ ...tinyVoiceProperties, ...properties }));
  return folder;
}
