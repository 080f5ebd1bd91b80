/**
 * ONNX Runtime through its C interface. It is the library that sherpa-onnx brings (14 MB), because the runtime's own packages for Node take
 * 208 MB, and sherpa-onnx reports no probabilities. Everything here blocks the thread.
 */
import { fileURLToPath } from "node:url";
import type * as Koffi from "koffi";
import * as z from "zod";

/** Values that the runtime reads and writes where they are: numbers, or truth values in bytes. */
export type TensorData = Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

export interface Tensor {
  readonly address: bigint;
  /** Once. */
  release(): void;
}

export type Tensors = ReadonlyMap<string, Tensor>;

export interface Session {
  /** What the model computes under these names, in their order. What `into` has a tensor for is written there, and not returned. */
  run(inputs: Tensors, outputs: readonly string[], into?: Tensors): readonly Tensor[];
}

export interface OnnxRuntime {
  load(model: Uint8Array): Session;
  tensor(data: TensorData, shape: readonly number[]): Tensor;
}

/**
 * The place of each function in `OrtApi` (onnxruntime_c_api.h), which every later version keeps; what it returns, which is an error where it
 * is an address; and what it takes.
 */
const places = {
  errorMessage: 2,
  createEnvironment: 3,
  createSessionFromArray: 8,
  run: 9,
  createSessionOptions: 10,
  setIntraOpNumThreads: 24,
  createTensorWithData: 49,
  createCpuMemoryInfo: 69,
  releaseStatus: 93,
  releaseValue: 96,
} as const;
const placeCount = 100;
/** `ORT_API_VERSION` of onnxruntime_c_api.h: this version and all later ones have the functions that are called here. */
const apiVersion = 16;
/** `ORT_LOGGING_LEVEL_FATAL`: the runtime prints nothing less, because every call returns its error to us. */
const fatalOnly = 4;
/** `OrtArenaAllocator` and `OrtMemTypeDefault`. */
const arena = 1;
const usualMemory = 0;

const libraryNames: Partial<Record<NodeJS.Platform, string>> = {
  linux: "libonnxruntime.so",
  darwin: "libonnxruntime.dylib",
  win32: "onnxruntime.dll",
};

const addressSchema = z.bigint();
const addressesSchema = z.array(z.bigint().nullable());
/** Null where the function has succeeded. */
const statusSchema = z.bigint().nullable();

/** Rejects where there is no build for this machine. */
export async function loadOnnxRuntime(): Promise<OnnxRuntime> {
  const { default: koffi } = await import("koffi");
  return new NativeRuntime(koffi, koffi.load(libraryPath()));
}

function libraryPath(): string {
  const { platform, arch } = process;
  const build = `sherpa-onnx-${platform === "win32" ? "win" : platform}-${arch}`;
  const name = libraryNames[platform];
  if (name === undefined) throw new Error(`there is no ONNX runtime for ${platform}`);
  return fileURLToPath(new URL(name, import.meta.resolve(`${build}/package.json`)));
}

type Call = (...values: readonly unknown[]) => unknown;

class NativeRuntime implements OnnxRuntime {
  readonly #koffi: typeof Koffi.default;
  /** It is unloaded once nobody has it. */
  readonly library: Koffi.LibraryHandle;
  readonly #functions: readonly (bigint | null)[];
  readonly #types: Readonly<Record<keyof typeof places, Koffi.TypeObject>>;
  readonly #environment: bigint;
  readonly #options: bigint;
  readonly #memory: bigint;
  /** The runtime has their addresses, so they must not be collected. */
  readonly #inUse = new Set<TensorData>();

  constructor(koffi: typeof Koffi.default, library: Koffi.LibraryHandle) {
    this.#koffi = koffi;
    this.library = library;
    this.#types = typesOf(koffi);
    const base: unknown = library.func("OrtGetApiBase", "void *", [])();
    const [getApi] = this.#addressesAt(base, 1);
    const api: unknown = koffi.call(getApi, koffi.proto("void *", ["uint32_t"]), apiVersion);
    this.#functions = this.#addressesAt(addressSchema.parse(api), placeCount);
    this.#environment = this.#create("createEnvironment", fatalOnly, "speech");
    this.#options = this.#create("createSessionOptions");
    this.#check("setIntraOpNumThreads", this.#options, 1);
    this.#memory = this.#create("createCpuMemoryInfo", arena, usualMemory);
  }

  load(model: Uint8Array): Session {
    const session = this.#create("createSessionFromArray", this.#environment, model, model.byteLength, this.#options);
    return {
      run: (inputs, outputs, into = new Map()) => {
        const given = inPlace([...inputs.values()].map(({ address }) => address));
        const results = inPlace(outputs.map((name) => into.get(name)?.address ?? 0n));
        const names = [...inputs.keys()];
        this.#check("run", session, null, names, given, names.length, outputs, outputs.length, results);
        return outputs.flatMap((name, at) => (into.has(name) ? [] : [this.#tensorAt(results[at] ?? 0n)]));
      },
    };
  }

  tensor(data: TensorData, shape: readonly number[]): Tensor {
    this.#inUse.add(data);
    const sizes = inPlace(shape.map(BigInt));
    const type = elementTypeOf(data);
    const { byteLength } = data;
    const address = this.#create("createTensorWithData", this.#memory, data, byteLength, sizes, sizes.length, type);
    return this.#tensorAt(address, () => this.#inUse.delete(data));
  }

  #tensorAt(address: bigint, released: () => void = () => undefined): Tensor {
    return {
      address,
      release: () => {
        this.#call("releaseValue")(address);
        released();
      },
    };
  }

  /** What a function creates is its last argument. */
  #create(name: keyof typeof places, ...values: readonly unknown[]): bigint {
    const created: unknown[] = [null];
    this.#check(name, ...values, created);
    return addressSchema.parse(created[0]);
  }

  #check(name: keyof typeof places, ...values: readonly unknown[]): void {
    const status = statusSchema.parse(this.#call(name)(...values));
    if (status === null) return;
    const message = z.string().parse(this.#call("errorMessage")(status));
    this.#call("releaseStatus")(status);
    throw new Error(`the ONNX runtime failed: ${message}`);
  }

  #call(name: keyof typeof places): Call {
    return (...values) => {
      const result: unknown = this.#koffi.call(this.#functions[places[name]], this.#types[name], ...values);
      return result;
    };
  }

  #addressesAt(address: unknown, count: number): readonly (bigint | null)[] {
    return addressesSchema.parse(this.#koffi.decode(address, this.#koffi.array("void *", count)));
  }
}

function typesOf(koffi: typeof Koffi.default): Readonly<Record<keyof typeof places, Koffi.TypeObject>> {
  const created = koffi.out(koffi.pointer("void *"));
  const names = "const char **";
  return {
    errorMessage: koffi.proto("const char *", ["void *"]),
    createEnvironment: koffi.proto("void *", ["int", "const char *", created]),
    createSessionFromArray: koffi.proto("void *", ["void *", "void *", "size_t", "void *", created]),
    run: koffi.proto("void *", ["void *", "void *", names, "void *", "size_t", names, "size_t", "void *"]),
    createSessionOptions: koffi.proto("void *", [created]),
    setIntraOpNumThreads: koffi.proto("void *", ["void *", "int"]),
    createTensorWithData: koffi.proto("void *", ["void *", "void *", "size_t", "void *", "size_t", "int", created]),
    createCpuMemoryInfo: koffi.proto("void *", ["int", "int", created]),
    releaseStatus: koffi.proto("void", ["void *"]),
    releaseValue: koffi.proto("void", ["void *"]),
  };
}

/** Node may move an array of a few numbers that has no buffer of its own, while the runtime has its address. */
function inPlace(numbers: readonly bigint[]): BigInt64Array<ArrayBuffer> {
  const array = new BigInt64Array(new ArrayBuffer(numbers.length * 8));
  array.set(numbers);
  return array;
}

/** `ONNXTensorElementDataType`. */
function elementTypeOf(data: TensorData): number {
  if (data instanceof Float32Array) return 1;
  return data instanceof BigInt64Array ? 7 : 9;
}
