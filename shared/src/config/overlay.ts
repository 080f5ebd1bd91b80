/** Settings from a store, which override those from the environment, except for the store's own address. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../platform/clock.ts";
import { VoiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { namesOf } from "./aliases.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { ConfigurationProvider, ConfigurationStatus } from "./configuration-provider.ts";
import { loadSettings, type Environment } from "./load.ts";
import { namedSettings, type Settings } from "./settings.ts";

/** Reads all of the store's values, by key. Rejects if the store cannot be read. */
export type ConfigurationLoader = () => Promise<ReadonlyMap<string, string>>;

export interface OverlayOptions {
  readonly environment: Environment;
  readonly loader: ConfigurationLoader;
  readonly endpoint: string;
  readonly label?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * A snapshot older than this is refreshed in the background when it is read, which also picks up refreshes by other
   * instances.
   */
  readonly maxAgeMs?: number;
}

const defaultMaxAgeMs = 5 * 60_000;

/** The store's own address cannot come from the store. */
const ownSettings: ReadonlySet<string> = new Set(["CLOUD_APPCONFIG_ENDPOINT", "CLOUD_APPCONFIG_LABEL"]);

/**
 * Reads the store once. If it is unavailable, the environment alone is used if it is a valid configuration; otherwise
 * this rejects with what is missing.
 */
export async function createOverlaidConfiguration(options: OverlayOptions): Promise<ConfigurationProvider> {
  const { environment, loader, endpoint, label, clock, logger, maxAgeMs = defaultMaxAgeMs } = options;
  let settings: Settings | undefined;
  let atStart: Settings | undefined;
  let loaded = false;
  let keyCount = 0;
  let refreshedAtMs: number | undefined;
  let lastError: string | undefined;
  let checkedAtMs = 0;
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    checkedAtMs = clock.now();
    const values = await loader().catch((error: unknown) => {
      throw new VoiceError("upstream_unavailable", "the configuration store cannot be read", { cause: error });
    });
    const overlaid = overlay(environment, values);
    settings = loadSettings(overlaid.environment);
    atStart ??= settings;
    loaded = true;
    keyCount = overlaid.count;
    refreshedAtMs = clock.wallNow();
    lastError = undefined;
  }

  function refresh(): Promise<void> {
    running ??= read()
      .catch((error: unknown) => {
        lastError = error instanceof VoiceError ? error.message : "the configuration store cannot be read";
        throw error;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  function refreshBehind(): void {
    refresh().catch((error: unknown) => logger.warn({ error }, "the settings could not be refreshed"));
  }

  function current(): Settings {
    settings ??= loadSettings(environment);
    atStart ??= settings;
    return settings;
  }

  try {
    await refresh();
  } catch (error) {
    logger.error({ error }, "the configuration store was not read; the environment alone is used");
    // An invalid value in the store prevents the start, so that the operator fixes it first.
    if (error instanceof ConfigurationError) throw error;
    current();
  }

  return {
    settings() {
      if (clock.now() - checkedAtMs > maxAgeMs && running === undefined) refreshBehind();
      return current();
    },
    status: (): ConfigurationStatus => ({
      enabled: true,
      endpoint,
      label,
      loaded,
      keyCount,
      changedSinceStart: changedSettings(atStart, settings),
      refreshedAtMs,
      lastError,
    }),
    refresh,
  };
}

function changedSettings(before: Settings | undefined, now: Settings | undefined): readonly string[] {
  if (before === undefined || now === undefined) return [];
  return namedSettings
    .filter(({ key }) => !isDeepStrictEqual(Reflect.get(before, key), Reflect.get(now, key)))
    .map(({ name }) => name);
}

/** A setting from the store, under any of its names, replaces the environment's under all of its names. */
function overlay(environment: Environment, values: ReadonlyMap<string, string>) {
  const result: Record<string, string | undefined> = { ...environment };
  let count = 0;
  for (const { name } of namedSettings) {
    const given = ownSettings.has(name) ? [] : namesOf(name).filter((alias) => values.has(alias));
    if (given.length === 0) continue;
    for (const alias of namesOf(name)) delete result[alias];
    for (const alias of given) result[alias] = values.get(alias);
    count += 1;
  }
  return { environment: result, count };
}
