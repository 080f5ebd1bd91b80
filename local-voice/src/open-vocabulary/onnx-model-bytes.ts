/** Parts of a small ONNX model, encoded by hand after onnx.proto (ONNX 1.16, `ModelProto`). Pure. */

export type Bytes = readonly number[];

/** `TensorProto.DataType`: numbers of 32 bits, and whole ones of 64. */
export const float = 1;
export const int64 = 7;

function varint(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

export function number(field: number, value: number): Bytes {
  return [...varint(field * 8), ...varint(value)];
}

export function bytes(field: number, body: Bytes | string): Bytes {
  const encoded = typeof body === "string" ? [...Buffer.from(body)] : body;
  return [...varint(field * 8 + 2), ...varint(encoded.length), ...encoded];
}

/** A size is a number, or a name where it is not known before. */
export function valueInfo(name: string, type: number, dimensions: readonly (string | number)[]): Bytes {
  const shape = dimensions.flatMap((size) => bytes(1, typeof size === "number" ? number(1, size) : bytes(2, size)));
  return [...bytes(1, name), ...bytes(2, bytes(1, [...number(1, type), ...bytes(2, shape)]))];
}

export function node(type: string, inputs: readonly string[], output: string, attributes: Bytes = []): Bytes {
  return [...inputs.flatMap((input) => bytes(1, input)), ...bytes(2, output), ...bytes(4, type), ...attributes];
}

/** `graph`: a `GraphProto`. Of version 8 of the format, with the operators of version 13. */
export function onnxModel(graph: Bytes, properties: Readonly<Record<string, string>> = {}): Uint8Array {
  const written = Object.entries(properties).flatMap(([key, value]) =>
    bytes(14, [...bytes(1, key), ...bytes(2, value)]),
  );
  return Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13)), ...written]);
}
