/** Loads a user's own provider, from a module outside the repository, when the host starts (docs/models.md). */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DefinedProvider, PartsByKind, ProviderKind, ProviderTools } from "@voice/provider-kit/define-provider";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Logger } from "@voice/shared/platform/logger";
import { explainImportFailure } from "@voice/shared/tools/code/explain-import-failure";
import { offerHostPackages } from "@voice/shared/tools/code/host-packages";
import { inTime, longestLoadMs } from "@voice/shared/tools/code/in-time";
import { logAttributes } from "@voice/shared/tools/code/log-attributes";
import { z } from "zod";

export interface LoadedProvider<Kind extends ProviderKind> {
  readonly name: string;
  readonly part: PartsByKind[Kind];
}

/** Longer than a module may take to load, since a model on this machine reads its weights. */
const longestCreateMs = 60_000;

const anyFunction = z.custom<(...args: never) => unknown>((value) => typeof value === "function");

/** The methods that the host calls; a missing one would otherwise only be noticed during a call. */
const methods: Readonly<Record<ProviderKind, readonly string[]>> = {
  recogniser: ["open", "pool", "close"],
  synthesiser: ["synthesise", "pool", "close"],
  "language-model": ["stream"],
  "realtime-model": ["open"],
};

/** `module`: its path. Throws a `ConfigurationError` that names the setting and what to change. */
export async function loadProvider<Kind extends ProviderKind>(
  kind: Kind,
  module: string,
  logger: Logger,
): Promise<LoadedProvider<Kind>> {
  const { setting, definer } = wanted[kind];
  const refuse = (problem: string): ConfigurationError => new ConfigurationError([`${setting}: ${module}: ${problem}`]);
  offerHostPackages();
  const file = resolve(module);
  let exported: readonly unknown[];
  try {
    exported = Object.values(await inTime(() => importModule(file), longestLoadMs, "loading"));
  } catch (error) {
    throw refuse(explainImportFailure(error, file));
  }
  const [found, ...more] = [...new Set(exported)].filter((value) => isDefined(value, kind));
  if (found === undefined || more.length > 0)
    throw refuse(`exports ${more.length === 0 ? "no" : "more than one"} ${kind}; export what ${definer} gives`);
  const defined = found as DefinedProvider<Kind>;
  const tools = toolsFor(defined.name, await loadVoiceActivity(), logger);
  const part = await inTime(() => defined.create(tools), longestCreateMs, "being created").catch((error: unknown) => {
    throw refuse(`could not be created: ${error instanceof Error ? error.message : "unknown reason"}`);
  });
  const missing = methods[kind].filter((name) => !anyFunction.safeParse(Reflect.get(Object(part), name)).success);
  if (missing.length > 0) throw refuse(`the ${kind} has no function ${missing.join(", ")}`);
  return { name: defined.name, part };
}

/** The setting that names its module, and what makes it there. */
const wanted: Readonly<Record<ProviderKind, { readonly setting: string; readonly definer: string }>> = {
  recogniser: { setting: "RECOGNISER_MODULE", definer: "defineRecogniser" },
  synthesiser: { setting: "SYNTHESISER_MODULE", definer: "defineSynthesiser" },
  "language-model": { setting: "LANGUAGE_MODEL_MODULE", definer: "defineLanguageModel" },
  "realtime-model": { setting: "REALTIME_MODEL_MODULE", definer: "defineRealtimeModel" },
};

function isDefined(value: unknown, kind: ProviderKind): boolean {
  return z.looseObject({ kind: z.literal(kind), name: z.string().min(1).max(64), create: anyFunction }).safeParse(value)
    .success;
}

function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  return import(pathToFileURL(file).href);
}

function toolsFor(name: string, createVoiceActivityDetector: CreateVoiceActivityDetector, logger: Logger) {
  const log = logger.child({ provider: name });
  return {
    createVoiceActivityDetector,
    log: {
      info: (message, attributes = {}) => log.info(logAttributes(attributes), message),
      warn: (message, attributes = {}) => log.warn(logAttributes(attributes), message),
    },
  } satisfies ProviderTools;
}
