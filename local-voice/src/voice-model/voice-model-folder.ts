/**
 * What is in the folder of a user's own voice model: Kokoro, or a voice of the VITS kind, such as Piper's, in the form in which sherpa-onnx
 * offers them. Says what is missing, because the runtime would end the process.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { readOnnxMetadata } from "./read-onnx-metadata.ts";

export interface VoiceModel {
  readonly kind: "kokoro" | "vits";
  readonly model: string;
  readonly tokens: string;
  /** The data of espeak-ng, which makes phonemes of text; a voice that reads letters, or has a lexicon, has none. */
  readonly dataDir: string | undefined;
  readonly lexicon: string | undefined;
  /** Kokoro's speakers. */
  readonly voices: string | undefined;
  readonly sampleRateHz: number;
  /** The names of the speakers where the model has some, or else their numbers. */
  readonly speakers: readonly string[];
}

const numbers = ["sample_rate", "n_speakers"];
const phonemeFiles = ["phontab", "phonindex", "phondata", "intonations"];
const download = "https://github.com/k2-fsa/sherpa-onnx/releases/tag/tts-models has folders that are";

/** Rejects with a `ConfigurationError` that says why the folder is no voice model, and where there are some. */
export async function readVoiceModel(folder: string): Promise<VoiceModel> {
  const files = await filesIn(folder);
  const [model, ...others] = files.filter((file) => file.endsWith(".onnx"));
  if (model === undefined) throw notOne(folder, "has no .onnx file");
  if (others.length > 0) throw notOne(folder, `has several .onnx files (${[model, ...others].join(", ")}): leave one`);
  if (!files.includes("tokens.txt"))
    throw notOne(
      folder,
      files.includes(`${model}.json`)
        ? `has a voice as Piper itself offers it, without tokens.txt: take the folder "vits-piper-…" of the same voice`
        : "has no tokens.txt",
    );
  const properties = await propertiesOf(folder, model);
  const isKokoro = files.includes("voices.bin");
  if (isKokoro) await requireStyles(folder, properties);
  const dataDir = files.includes("espeak-ng-data") ? await phonemeData(folder) : undefined;
  const lexicon = files.filter((file) => /^lexicon.*\.txt$/.test(file)).map((file) => join(folder, file));
  const readsLetters = properties.get("frontend") === "characters";
  const isPhonetic = isKokoro || /piper|coqui|icefall/.test(properties.get("comment") ?? "");
  if (dataDir === undefined && !readsLetters && (isPhonetic || lexicon.length === 0))
    throw notOne(folder, "has no espeak-ng-data");
  if (properties.get("jieba") === "1" || properties.get("comment")?.includes("melo") === true)
    throw notOne(folder, "has a voice of MeloTTS or with a Chinese dictionary, which is not supported");
  return {
    kind: isKokoro ? "kokoro" : "vits",
    model: join(folder, model),
    tokens: join(folder, "tokens.txt"),
    dataDir,
    lexicon: lexicon.length === 0 ? undefined : lexicon.join(","),
    voices: isKokoro ? join(folder, "voices.bin") : undefined,
    sampleRateHz: Number(properties.get("sample_rate")),
    speakers: speakersOf(properties),
  };
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    throw notOne(folder, "cannot be read as a folder");
  }
}

/** The properties of the ONNX file. Where certain ones are missing, the runtime would end the process. */
async function propertiesOf(folder: string, model: string): Promise<ReadonlyMap<string, string>> {
  const properties = await readOnnxMetadata(join(folder, model));
  if (properties === undefined) throw notOne(folder, `has ${model}, which is no ONNX model (or only a part of one)`);
  const kind = properties.get("model_type");
  if (kind !== undefined && !/^(?:vits|kokoro)/.test(kind))
    throw notOne(folder, `has a model of the kind "${kind}": only Kokoro and VITS (Piper) are supported`);
  const needed = kind?.startsWith("kokoro") === true ? numbers : [...numbers, "language", "comment"];
  const missing = needed.find(
    (name) =>
      properties.get(name) === undefined || (numbers.includes(name) && !/^\d+$/.test(properties.get(name) ?? "")),
  );
  if (missing !== undefined)
    throw notOne(folder, `has ${model}, which lacks the property ${missing} that sherpa-onnx needs`);
  return properties;
}

async function requireStyles(folder: string, properties: ReadonlyMap<string, string>): Promise<void> {
  const [tokens = 0, , dimensions = 0] = (properties.get("style_dim") ?? "").split(",").map(Number);
  const expected = tokens * dimensions * Number(properties.get("n_speakers")) * Float32Array.BYTES_PER_ELEMENT;
  const { size } = await stat(join(folder, "voices.bin"));
  if (!properties.has("has_espeak") || size !== expected)
    throw notOne(folder, `has a voices.bin of ${size} bytes, where its model needs ${expected}`);
}

async function phonemeData(folder: string): Promise<string> {
  const dataDir = join(folder, "espeak-ng-data");
  const files = await filesIn(dataDir);
  const missing = phonemeFiles.filter((file) => !files.includes(file));
  if (missing.length > 0) throw notOne(folder, `has an espeak-ng-data without ${missing.join(", ")}`);
  return dataDir;
}

function speakersOf(properties: ReadonlyMap<string, string>): readonly string[] {
  const count = Math.max(1, Number(properties.get("n_speakers")));
  const names = (properties.get("speaker_names") ?? "").split(",").filter((name) => name !== "");
  return names.length === count ? names : Array.from({ length: count }, (_, speaker) => String(speaker));
}

function notOne(folder: string, why: string): ConfigurationError {
  return new ConfigurationError([`VOICE_MODEL_DIR names ${folder}, which is no voice model: it ${why}. ${download}`]);
}
