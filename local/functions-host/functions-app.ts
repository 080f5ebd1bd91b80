/** A loaded functions app: what it registered, and how to invoke it without a socket. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "@voice/shared/platform/logger";
import { silentLogger } from "@voice/shared/platform/logger";
import { z } from "zod";
import { collectRegistrations } from "./core-api.ts";
import type { RegisteredFunction, Registration } from "./core-api.ts";
import type { CoreInvocation, RpcHttpRequest, RpcHttpResponse } from "./invocation-model.ts";
import { createRouteTable } from "./route-table.ts";
import type { RouteTable } from "./route-table.ts";

export interface HttpFunction {
  readonly functionName: string;
  readonly methods: readonly string[];
  readonly route: string | undefined;
  readonly authLevel: string;
  /** The name of the trigger's input in the function's bindings. */
  readonly inputName: string;
  readonly registered: RegisteredFunction;
}

/** `undefined` response: the handler returned nothing (204). `failed`: it threw (500, empty body). */
export type InvocationResult =
  | {
      readonly type: "completed";
      readonly response: RpcHttpResponse | undefined;
      /** The body if the handler returned a stream; it replaces the response's own. */
      readonly stream?: AsyncIterable<Uint8Array> | undefined;
    }
  | { readonly type: "failed"; readonly error: unknown };

export interface FunctionsApp {
  readonly table: RouteTable<HttpFunction>;
  invoke(route: HttpFunction, request: RpcHttpRequest): Promise<InvocationResult>;
  /** Runs the app's `appTerminate` hooks, once. */
  close(): Promise<void>;
}

const httpTrigger = z.object({
  type: z.literal("httpTrigger"),
  methods: z.array(z.string()).default(["GET", "POST"]),
  route: z.string().optional(),
  authLevel: z.string().default("anonymous"),
});

const streamedResponse = z.looseObject({
  body: z.custom<AsyncIterable<Uint8Array>>(
    (body) => typeof body === "object" && body !== null && Symbol.asyncIterator in body,
  ),
});

const hostFile = z.object({
  extensions: z.object({ http: z.object({ routePrefix: z.string().default("api") }) }).optional(),
});

/**
 * `entry` is the file that package.json's `main` names, or its TypeScript source; host.json is looked for above it. `logger` receives the
 * app's own `context.log` lines.
 */
export async function loadFunctionsApp(entry: string, logger: Logger = silentLogger): Promise<FunctionsApp> {
  const registration = await registrationsOf(path.resolve(entry));
  const functions = registration.functions.flatMap(toHttpFunction);
  // The worker asks for this before the first invocation; it also locks `app.setup`.
  await registration.model.getCapabilities({});
  const hookData = {};
  await runHooks(registration, "appStart", { hookData, appHookData: hookData });
  let closing: Promise<void> | undefined;
  return {
    table: createRouteTable(functions, routePrefixFor(entry)),
    invoke: (route, request) => invoke(registration, route, request, hookData, logger),
    close: () => (closing ??= runHooks(registration, "appTerminate", { hookData, appHookData: hookData })),
  };
}

/**
 * By entry file. A module is evaluated only once in a process, so loading an app again reuses its first registrations.
 */
const registrations = new Map<string, Promise<Registration>>();

async function registrationsOf(entry: string): Promise<Registration> {
  const known = registrations.get(entry) ?? collectRegistrations(async () => import(pathToFileURL(entry).href));
  registrations.set(entry, known);
  return known;
}

async function invoke(
  registration: Registration,
  route: HttpFunction,
  request: RpcHttpRequest,
  appHookData: object,
  logger: Logger,
): Promise<InvocationResult> {
  const { metadata, callback } = route.registered;
  const invocation: CoreInvocation = {
    invocationId: randomUUID(),
    metadata,
    request: {
      inputData: [{ name: route.inputName, data: { http: request } }],
      triggerMetadata: {},
      traceContext: {
        traceParent: request.headers["traceparent"] ?? "",
        traceState: request.headers["tracestate"] ?? "",
      },
    },
    log: (level, category, message) => {
      if (category === "user") logger.info({ level, functionName: metadata.name, pii: message }, "function logged");
    },
  };
  try {
    const model = registration.model.getInvocationModel(invocation);
    const { context, inputs } = await model.getArguments();
    const hookData = {};
    const before = { hookData, appHookData, invocationContext: context, functionCallback: callback, inputs };
    await runHooks(registration, "preInvocation", before);
    const outcome = await settle(async () => model.invokeFunction(context, before.inputs, before.functionCallback));
    const after = { hookData, appHookData, invocationContext: context, inputs: before.inputs, ...outcome };
    invocation.state = "postInvocationHooks";
    await runHooks(registration, "postInvocation", after);
    if (after.error !== null && after.error !== undefined) return { type: "failed", error: after.error };
    const { stream, rest } = takeStream(after.result);
    const { returnValue } = await model.getResponse(context, rest);
    return { type: "completed", response: returnValue?.http, stream };
  } catch (error) {
    return { type: "failed", error };
  }
}

/**
 * The library buffers a stream before it converts the response (unless the whole app is set to HTTP streams). Here the
 * body bypasses it and is sent as it is produced.
 */
function takeStream(result: unknown): {
  readonly stream: AsyncIterable<Uint8Array> | undefined;
  readonly rest: unknown;
} {
  const parsed = streamedResponse.safeParse(result);
  if (!parsed.success) return { stream: undefined, rest: result };
  const { body: stream, ...rest } = parsed.data;
  return { stream, rest };
}

async function settle(run: () => Promise<unknown>): Promise<{ result: unknown; error: unknown }> {
  try {
    return { result: await run(), error: null };
  } catch (error) {
    return { result: null, error };
  }
}

async function runHooks(registration: Registration, name: string, context: Record<string, unknown>): Promise<void> {
  for (const callback of registration.hooks.get(name) ?? []) await callback(context);
}

function toHttpFunction(registered: RegisteredFunction): HttpFunction[] {
  for (const [inputName, binding] of Object.entries(registered.metadata.bindings)) {
    if (binding.type !== "httpTrigger") continue;
    const { methods, route, authLevel } = httpTrigger.parse(binding);
    return [{ functionName: registered.metadata.name, methods, route, authLevel, inputName, registered }];
  }
  return [];
}

/** host.json is beside the bundle, or at the root above the source. Without one, the host's default prefix is `api`. */
function routePrefixFor(entry: string): string {
  for (let folder = path.dirname(path.resolve(entry)); ; folder = path.dirname(folder)) {
    const file = path.join(folder, "host.json");
    if (existsSync(file)) {
      return hostFile.parse(JSON.parse(readFileSync(file, "utf8"))).extensions?.http.routePrefix ?? "api";
    }
    if (folder === path.dirname(folder)) return "api";
  }
}
