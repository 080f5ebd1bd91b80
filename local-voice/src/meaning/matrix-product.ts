/** Products of matrices by the ONNX runtime, which needs a twentieth of the time that JavaScript takes: of a model whose only node is one product. */
import { bytes, float, node, onnxModel, valueInfo } from "../open-vocabulary/onnx-model-bytes.ts";
import type { OnnxRuntime, Tensor } from "../open-vocabulary/onnx-runtime.ts";

/** Row after row. */
export interface Matrix {
  readonly values: Float32Array<ArrayBuffer>;
  readonly rows: number;
  readonly columns: number;
}

/** The product with a matrix of weights that stays where it is. */
export type Product = (left: Matrix) => Matrix;

/** A graph with `c = MatMul(a, b)`. */
const productModel = onnxModel([
  ...bytes(1, node("MatMul", ["a", "b"], "c")),
  ...bytes(2, "product"),
  ...["a", "b"].flatMap((name) => bytes(11, valueInfo(name, float, [`${name} rows`, `${name} columns`]))),
  ...bytes(12, valueInfo("c", float, ["rows", "columns"])),
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
