/**
 * An ONNX runtime that was installed beside a model: `onnxruntime-node` (native code) or `onnxruntime-web` (WebAssembly). Both have the
 * same interface, and are far too large (140 MB) to be installed for everybody.
 */
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

/** The faster one first. */
const runtimes = ["onnxruntime-node", "onnxruntime-web"] as const;

/** The runtime that can be loaded from the model's folder, or from one that contains it; undefined if none is installed there. */
export function findRuntime(modelFile: string): string | undefined {
  const installed = createRequire(join(dirname(resolve(modelFile)), "package.json"));
  for (const name of runtimes) {
    try {
      return pathToFileURL(installed.resolve(name)).href;
    } catch (error) {
      if (!isNotInstalled(error)) throw error;
    }
  }
  return undefined;
}

function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
}

interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, unknown>>>;
}

/** The part of the interface that is used here, from the documentation of `onnxruntime-common` 1.30. */
interface OnnxRuntime {
  readonly env: { readonly wasm?: { numThreads?: number } };
  readonly InferenceSession: { create(model: Uint8Array): Promise<OnnxSession> };
  readonly Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => object;
}

const onnxRuntime = z.custom<OnnxRuntime>(
  (value) => typeof value === "object" && value !== null && "InferenceSession" in value && "Tensor" in value,
  "the package is not an ONNX runtime",
);

/** A probability is one number, whatever shape the model gives it. */
const oneProbability = z.object({
  data: z
    .instanceof(Float32Array)
    .transform(([probability]) => probability)
    .pipe(z.number().min(0).max(1)),
});

/** Maps a model's single input to the probability in its first output. */
export type RunModel = (input: Float32Array, dims: readonly number[]) => Promise<number>;

/** Rejects if the package is not a runtime, or if the runtime cannot read the model. */
export async function openModel(runtimeUrl: string, model: Uint8Array): Promise<RunModel> {
  const loaded: { readonly default?: unknown } = await import(runtimeUrl);
  const { env, InferenceSession, Tensor } = onnxRuntime.parse(loaded.default ?? loaded);
  // This is already a separate thread, and the other threads have calls of their own to judge.
  if (env.wasm !== undefined) env.wasm.numThreads = 1;
  const session = await InferenceSession.create(model);
  const [inputName = ""] = session.inputNames;
  const [outputName = ""] = session.outputNames;
  return async (input, dims) => {
    const outputs = await session.run({ [inputName]: new Tensor("float32", input, dims) });
    return oneProbability.parse(outputs[outputName]).data;
  };
}
