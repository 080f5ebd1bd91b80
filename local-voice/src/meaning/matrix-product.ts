/** Products of matrices by the ONNX runtime, which needs a twentieth of the time that JavaScript takes: of a model whose only node is one product. */
import type { OnnxRuntime, Tensor } from "../open-vocabulary/onnx-runtime.ts";

/** Row after row. */
export interface Matrix {
  readonly values: Float32Array<ArrayBuffer>;
  readonly rows: number;
  readonly columns: number;
}

/** The product with a matrix of weights that stays where it is. */
export type Product = (left: Matrix) => Matrix;

/** `ModelProto` of onnx.proto3: version 8 of the format, operators of version 13, and a graph with `c = MatMul(a, b)`. */
const productModel = Uint8Array.from([
  ...field(1, 8),
  ...message(8, [...field(2, 13)]),
  ...message(7, [
    ...message(1, [...text(1, "a"), ...text(1, "b"), ...text(2, "c"), ...text(4, "MatMul")]),
    ...text(2, "product"),
    ...message(11, matrixNamed("a")),
    ...message(11, matrixNamed("b")),
    ...message(12, matrixNamed("c")),
  ]),
]);

export function createProducts(runtime: OnnxRuntime): (weights: Matrix) => Product {
  const session = runtime.load(productModel);
  const tensorOf = ({ values, rows, columns }: Matrix): Tensor => runtime.tensor(values, [rows, columns]);
  return (weights) => {
    const right = tensorOf(weights);
    return (left) => {
      const product = emptyMatrix(left.rows, weights.columns);
      const tensors = { a: tensorOf(left), c: tensorOf(product) };
      session.run(
        new Map([
          ["a", tensors.a],
          ["b", right],
        ]),
        ["c"],
        new Map([["c", tensors.c]]),
      );
      tensors.a.release();
      tensors.c.release();
      return product;
    };
  };
}

/** With a buffer of its own, which does not move. */
export function emptyMatrix(rows: number, columns: number): Matrix {
  return { values: new Float32Array(new ArrayBuffer(rows * columns * 4)), rows, columns };
}

/** A `ValueInfoProto`: the name, and that the values are of 32 bits. */
function matrixNamed(name: string): readonly number[] {
  return [...text(1, name), ...message(2, [...message(1, [...field(1, 1)])])];
}

function field(number: number, value: number): readonly number[] {
  return [number << 3, value];
}

function text(number: number, value: string): readonly number[] {
  return message(number, [...Buffer.from(value)]);
}

function message(number: number, bytes: readonly number[]): readonly number[] {
  return [(number << 3) | 2, bytes.length, ...bytes];
}
