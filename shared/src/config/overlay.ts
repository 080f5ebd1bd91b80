/** Settings from a store, which override those from the environment, except for the store's own address. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../platform/clock.ts";
import { VoiceError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { namesOf } from "./aliases.ts";
import { ConfigurationError } from "./configuration-error.ts";
import type { ConfigurationProvider } from "./configuration-provider.ts";
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
/**
 * Until the store was read once, settings that only it contains (the webhook's secret, for example) are missing, and calls are rejected
 * because of that.
 */
const unreadRetryMs = 15_000;
const unreadable = "the configuration store cannot be read";

/** The store's own address cannot come from the store. */
const ownSettings: ReadonlySet<string> = new Set(["CLOUD_APPCONFIG_ENDPOINT", "CLOUD_APPCONFIG_LABEL"]);

/** What a successful read of the store gave. */
interface Reading {
  readonly settings: Settings;
  /** How many settings the store sets. */
  readonly keyCount: number;
  readonly atWallMs: number;
}

/**
 * Reads the store once. If it is unavailable, the environment alone is used if it is a valid configuration; otherwise
 * this rejects with what is missing.
 */
export async function createOverlaidConfiguration({
  environment,
  loader,
  endpoint,
  label,
  clock,
  logger,
  maxAgeMs = defaultMaxAgeMs,
}: OverlayOptions): Promise<ConfigurationProvider> {
  /** The last reading that was valid, which outlives later failures. */
  let reading: Reading | undefined;
  let lastError: string | undefined;
  let triedAtMs = 0;
  let running: Promise<void> | undefined;

  async function read(): Promise<void> {
    triedAtMs = clock.now();
    const values = await loader().catch((error: unknown) => {
      throw new VoiceError("upstream_unavailable", unreadable, { cause: error });
    });
    const { environment: overlaid, count } = overlay(environment, values);
    reading = { settings: loadSettings(overlaid), keyCount: count, atWallMs: clock.wallNow() };
    lastError = undefined;
  }

  function refresh(): Promise<void> {
    running ??= read()
      .catch((error: unknown) => {
        lastError = error instanceof VoiceError ? error.message : unreadable;
        throw error;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  async function firstReading(): Promise<Settings> {
    try {
      await refresh();
    } catch (error) {
      logger.error({ error }, "the configuration store was not read; the environment alone is used");
      // An invalid value in the store prevents the start, so that the operator fixes it first.
      if (error instanceof ConfigurationError) throw error;
    }
    return reading?.settings ?? loadSettings(environment);
  }

  const atStart = await firstReading();
  return {
    refresh,
    settings() {
      const longestMs = reading === undefined ? Math.min(unreadRetryMs, maxAgeMs) : maxAgeMs;
      if (clock.now() - triedAtMs > longestMs && running === undefined)
        refresh().catch((error: unknown) => logger.warn({ error }, "the settings could not be refreshed"));
      return reading?.settings ?? atStart;
    },
    status: () => ({
      enabled: true,
      endpoint,
      label,
      loaded: reading !== undefined,
      keyCount: reading?.keyCount ?? 0,
      changedSinceStart: changedSettings(atStart, reading?.settings ?? atStart),
      refreshedAtMs: reading?.atWallMs,
      lastError,
    }),
  };
}

function changedSettings(before: Settings, now: Settings): readonly string[] {
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
