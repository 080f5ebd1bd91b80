/**
 * The two networks of Moonshine tiny: an encoder of speech, and a decoder that says for each token how probable it is after those before
 * it. A token takes 7 ms, the encoder 10 ms for each second of speech. Blocks the thread.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadOnnxRuntime } from "./onnx-runtime.ts";
import type { OnnxRuntime, Session, Tensor } from "./onnx-runtime.ts";
import { startToken } from "./written-tokens.ts";

/** What may follow after the tokens so far. */
export interface Expectation {
  /** Natural logarithms of the probabilities of all tokens, but for a term that all of them share. */
  readonly scores: Float32Array;
  after(token: number): Expectation;
}

/** Calls `use` with what may begin the text; what it has got by `after` is valid until it returns. `samples`: from -1 to 1. */
export type DecodeSpeech = <Result>(samples: Float32Array<ArrayBuffer>, use: (first: Expectation) => Result) => Result;

/** The size of the buffer for one score per token: a little more than the model's vocabulary. */
const scoreCount = 32_768;
const layers = [0, 1, 2, 3, 4, 5];
const heads = 8;
const headSize = 36;
const valuesOf = (side: "decoder" | "encoder"): readonly string[] =>
  layers.flatMap((layer) => ["key", "value"].map((kind) => `${layer}.${side}.${kind}`));
const spokenValues = valuesOf("encoder");
const writtenValues = valuesOf("decoder");

export async function loadMoonshineDecoder(): Promise<DecodeSpeech> {
  const runtime = await loadOnnxRuntime();
  const folder = new URL("model/tiny/quantized/", import.meta.resolve("@moonshine-ai/moonshine-js"));
  const load = async (name: string): Promise<Session> =>
    runtime.load(await readFile(fileURLToPath(new URL(name, folder))));
  const decoder = new Decoder(runtime, await load("decoder_model_merged.onnx"));
  const encoder = await load("encoder_model.onnx");
  return (samples, use) => {
    const audio = runtime.tensor(samples, [1, samples.length]);
    const [speech] = encoder.run(new Map([["input_values", audio]]), ["last_hidden_state"]);
    audio.release();
    if (speech === undefined) throw new Error("the encoder has no output");
    return decoder.decode(speech, use);
  };
}

/** The decoder's memory of the speech, and of the tokens so far. */
type Memory = ReadonlyMap<string, Tensor>;

class Decoder {
  readonly #session: Session;
  readonly #token = new BigInt64Array(new ArrayBuffer(8));
  readonly #scores = new Float32Array(new ArrayBuffer(scoreCount * 4));
  readonly #tokenTensor: Tensor;
  readonly #into: ReadonlyMap<string, Tensor>;
  readonly #hasMemory: Readonly<Record<"yes" | "no", Tensor>>;
  readonly #nothing: Memory;

  constructor(runtime: OnnxRuntime, session: Session) {
    this.#session = session;
    this.#tokenTensor = runtime.tensor(this.#token, [1, 1]);
    this.#into = new Map([["logits", runtime.tensor(this.#scores, [1, 1, scoreCount])]]);
    const truth = (value: number): Tensor => runtime.tensor(new Uint8Array(new ArrayBuffer(1)).fill(value), [1]);
    this.#hasMemory = { yes: truth(1), no: truth(0) };
    const empty = runtime.tensor(new Float32Array(new ArrayBuffer(heads * headSize * 4)), [1, heads, 1, headSize]);
    this.#nothing = new Map([...writtenValues, ...spokenValues].map((name) => [name, empty]));
  }

  /** Releases `speech`. */
  decode<Result>(speech: Tensor, use: (first: Expectation) => Result): Result {
    const made: Tensor[] = [speech];
    const step = (token: number, memory: Memory | undefined): Expectation => {
      this.#token[0] = BigInt(token);
      const names = memory === undefined ? [...writtenValues, ...spokenValues] : writtenValues;
      const inputs = new Map([
        ["input_ids", this.#tokenTensor],
        ["encoder_hidden_states", speech],
        ["use_cache_branch", memory === undefined ? this.#hasMemory.no : this.#hasMemory.yes],
      ]);
      const earlier = memory ?? this.#nothing;
      for (const [name, value] of earlier) inputs.set(`past_key_values.${name}`, value);
      const outputs = ["logits", ...names.map((name) => `present.${name}`)];
      const values = this.#session.run(inputs, outputs, this.#into);
      made.push(...values);
      const next = new Map(memory);
      for (const [at, name] of names.entries()) {
        const value = values[at];
        if (value !== undefined) next.set(name, value);
      }
      const continued = new Map<number, Expectation>();
      return {
        scores: this.#scores.slice(),
        // Several searches through the same speech pass the same places.
        after: (following) => {
          const known = continued.get(following) ?? step(following, next);
          continued.set(following, known);
          return known;
        },
      };
    };
    try {
      return use(step(startToken, undefined));
    } finally {
      for (const tensor of made) tensor.release();
    }
  }
}
