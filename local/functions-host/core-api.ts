/**
 * The `@azure/functions-core` module that the Functions worker gives to `@azure/functions`. The worker replaces
 * `Module.prototype.require` so that this one id resolves to its own API; doing the same runs the library's real
 * registration and conversion code outside the worker. It works for ES modules too, since the library is CommonJS.
 */
import Module from "node:module";
import { z } from "zod";
import type { FunctionMetadata, ProgrammingModel } from "./invocation-model.ts";

const binding = z.looseObject({ type: z.string(), direction: z.string() });

const functionMetadata = z.object({ name: z.string(), bindings: z.record(z.string(), binding) });

export type FunctionCallback = (...args: unknown[]) => unknown;
export type HookCallback = (context: Record<string, unknown>) => unknown;

export interface RegisteredFunction {
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
}

export interface Registration {
  readonly functions: readonly RegisteredFunction[];
  readonly hooks: ReadonlyMap<string, readonly HookCallback[]>;
  readonly model: ProgrammingModel;
}

interface OpenRegistration {
  readonly functions: RegisteredFunction[];
  readonly hooks: Map<string, HookCallback[]>;
}

let open: OpenRegistration | undefined;
let currentModel: ProgrammingModel | undefined;
let installed = false;

/**
 * Runs `load` and returns what it registered. Calls run one at a time, because the library has one registry per
 * process.
 */
export async function collectRegistrations(load: () => Promise<unknown>): Promise<Registration> {
  if (open !== undefined) throw new Error("a functions app is already being loaded in this process");
  installCoreApi();
  const registration: OpenRegistration = { functions: [], hooks: new Map() };
  open = registration;
  try {
    await load();
  } finally {
    open = undefined;
  }
  if (currentModel === undefined || registration.functions.length === 0) {
    throw new Error("the entry file registered no functions; was it already loaded in this process?");
  }
  return { ...registration, model: currentModel };
}

const coreApi = {
  version: "4.1037.0",
  hostVersion: "4.1037.0",
  setProgrammingModel(model: ProgrammingModel): void {
    currentModel = model;
  },
  getProgrammingModel: () => currentModel,
  registerFunction(metadata: unknown, callback: FunctionCallback): Disposable {
    const registration = registering("function");
    const parsed = functionMetadata.parse(metadata);
    if (registration.functions.some((existing) => sameName(existing.metadata.name, parsed.name))) {
      throw new Error(`a function named "${parsed.name}" is already registered`);
    }
    const registered = { metadata: parsed, callback };
    registration.functions.push(registered);
    return new Disposable(() => remove(registration.functions, registered));
  },
  registerHook(name: string, callback: HookCallback): Disposable {
    const callbacks = registering("hook").hooks;
    const list = callbacks.get(name) ?? [];
    callbacks.set(name, [...list, callback]);
    return new Disposable(() => {
      callbacks.set(
        name,
        (callbacks.get(name) ?? []).filter((other) => other !== callback),
      );
    });
  },
  /** The worker's own log channel, which is ignored: apps log through their own logger. */
  log: () => undefined,
};

/** The shape that the library expects from the worker; not the language's `Disposable`. */
class Disposable {
  readonly #onDispose: () => void;

  constructor(onDispose: () => void) {
    this.#onDispose = onDispose;
  }

  dispose(): void {
    this.#onDispose();
  }
}

function installCoreApi(): void {
  if (installed) return;
  installed = true;
  const api = { ...coreApi, Disposable };
  const original = Object.getOwnPropertyDescriptor(Module.prototype, "require")?.value;
  Module.prototype.require = new Proxy(original, {
    apply(target, module, args: [string]) {
      return args[0] === "@azure/functions-core" ? api : Reflect.apply(target, module, args);
    },
  });
}

function registering(what: string): OpenRegistration {
  if (open === undefined) throw new Error(`a ${what} can only be registered while the app starts`);
  return open;
}

function sameName(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

function remove<Item>(items: Item[], item: Item): void {
  const index = items.indexOf(item);
  if (index !== -1) items.splice(index, 1);
}
