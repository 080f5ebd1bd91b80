/**
 * What an agent's examples mean, and how near a sentence is to each of its intents: the mean of two measures. The one is how near the nearest
 * examples are; the other is what tells the intents from each other, as a ridge regression learns it from all examples. What all of an agent's
 * examples have in common ("can you", a bank) says nothing about the intent, so most of it is taken away first. Pure.
 */
import type { Steps } from "@voice/shared/platform/steps";
import type { SentenceVector } from "./universal-sentence-encoder.ts";
import type { Likenesses } from "./weigh-meaning.ts";

interface ExampleMeaning {
  readonly intent: string;
  readonly vector: SentenceVector;
}

/** How much of the mean of all examples is taken away. This and the numbers below were chosen by CLINC150, as the weights of `weigh-meaning.ts` were. */
const shareInCommon = 0.8;
/** The examples of an intent that are nearest, whose mean counts: one alone may be near by chance. */
const nearest = 3;
/** How much the regression counts in place of the nearest examples. */
const regressionCounts = 0.6;
/**
 * Added to the diagonal of the examples' products, for an intent of ten examples: the less, the closer the regression follows each of them. That
 * of an intent with more is larger, or its examples together would outvote those of an intent with few.
 */
const ridge = { ofTen: 0.3, growsBy: 1.5 };

export class ExampleMeanings {
  readonly #common: SentenceVector;
  readonly #examplesOf: ReadonlyMap<string, readonly SentenceVector[]>;
  /** By intent: the product with a sentence is about 1 where it has the intent, and about 0 where it has another. */
  readonly #directions: ReadonlyMap<string, SentenceVector>;

  private constructor(
    common: SentenceVector,
    examplesOf: ReadonlyMap<string, readonly SentenceVector[]>,
    directions: ReadonlyMap<string, SentenceVector>,
  ) {
    this.#common = common;
    this.#examplesOf = examplesOf;
    this.#directions = directions;
  }

  /** Three hundred examples take a tenth of a second or two, in steps of up to 7 ms before the code is warm, and 2 ms then. */
  static *from(written: readonly ExampleMeaning[]): Steps<ExampleMeanings> {
    const common = commonPart(written.map(({ vector }) => vector));
    yield;
    const examples: ExampleMeaning[] = [];
    for (const { intent, vector } of written) {
      examples.push({ intent, vector: without(common, vector) });
      yield;
    }
    const examplesOf = Map.groupBy(examples, ({ intent }) => intent);
    const vectors = examples.map(({ vector }) => vector);
    const ridges = examples.map(
      ({ intent }) => ridge.ofTen * ((examplesOf.get(intent)?.length ?? 0) / 10) ** ridge.growsBy,
    );
    const triangle = yield* triangleOf(vectors, ridges);
    const directions = new Map<string, SentenceVector>();
    for (const intent of examplesOf.keys()) {
      const shares = solve(
        triangle,
        examples.map((example) => Number(example.intent === intent)),
      );
      directions.set(intent, weightedSum(vectors, shares));
      yield;
    }
    const vectorsOf = [...examplesOf].map(([intent, own]) => [intent, own.map(({ vector }) => vector)] as const);
    return new ExampleMeanings(common, new Map(vectorsOf), directions);
  }

  likeness(sentence: SentenceVector): Likenesses {
    const vector = without(this.#common, sentence);
    return new Map(
      [...this.#examplesOf].map(([intent, examples]) => {
        const direction = this.#directions.get(intent);
        const told = direction === undefined ? 0 : productOf(vector, direction);
        return [intent, regressionCounts * told + (1 - regressionCounts) * meanOfNearest(vector, examples)];
      }),
    );
  }
}

function commonPart(vectors: readonly SentenceVector[]): SentenceVector {
  return weightedSum(
    vectors,
    vectors.map(() => shareInCommon / vectors.length),
  );
}

/** The rest has a length of 1 again. */
function without(common: SentenceVector, vector: SentenceVector): SentenceVector {
  const rest = vector.map((value, at) => value - (common[at] ?? 0));
  const length = Math.sqrt(productOf(rest, rest));
  return length === 0 ? rest : rest.map((value) => value / length);
}

function meanOfNearest(vector: SentenceVector, examples: readonly SentenceVector[]): number {
  const likenesses = examples.map((example) => productOf(vector, example)).toSorted((left, right) => right - left);
  const best = likenesses.slice(0, nearest);
  return best.reduce((sum, likeness) => sum + likeness, 0) / best.length;
}

/** Cholesky's decomposition of the examples' products with each other, with the ridges on the diagonal. */
function* triangleOf(vectors: readonly SentenceVector[], ridges: readonly number[]): Steps<readonly Float64Array[]> {
  const triangle: Float64Array[] = [];
  for (const [at, vector] of vectors.entries()) {
    const row = new Float64Array(at + 1);
    for (let column = 0; column <= at; column++) {
      const other = column === at ? row : (triangle[column] ?? row);
      let rest = productOf(vector, vectors[column] ?? vector) + (column === at ? (ridges[at] ?? 0) : 0);
      for (let inner = 0; inner < column; inner++) rest -= (row[inner] ?? 0) * (other[inner] ?? 0);
      row[column] = column === at ? Math.sqrt(rest) : rest / (other[column] ?? 1);
    }
    triangle.push(row);
    yield;
  }
  return triangle;
}

/** Forwards through the triangle, and back through its mirror image. */
function solve(triangle: readonly Float64Array[], wanted: readonly number[]): readonly number[] {
  const shares = Float64Array.from(wanted);
  for (const [at, row] of triangle.entries()) {
    let rest = shares[at] ?? 0;
    for (let before = 0; before < at; before++) rest -= (row[before] ?? 0) * (shares[before] ?? 0);
    shares[at] = rest / (row[at] ?? 1);
  }
  for (let at = triangle.length - 1; at >= 0; at--) {
    const row = triangle[at];
    const share = (shares[at] ?? 0) / (row?.[at] ?? 1);
    shares[at] = share;
    for (let before = 0; before < at; before++) shares[before] = (shares[before] ?? 0) - (row?.[before] ?? 0) * share;
  }
  return [...shares];
}

function weightedSum(vectors: readonly SentenceVector[], shares: readonly number[]): SentenceVector {
  const sum: SentenceVector = new Float32Array(vectors[0]?.length ?? 0);
  for (const [index, vector] of vectors.entries()) {
    const share = shares[index] ?? 0;
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + share * (vector[at] ?? 0);
  }
  return sum;
}

function productOf(left: SentenceVector, right: SentenceVector): number {
  let product = 0;
  for (let at = 0; at < left.length; at++) product += (left[at] ?? 0) * (right[at] ?? 0);
  return product;
}
