/** The speech engines of this machine, loaded before it is known what else the service has. */
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import { createLogger } from "@voice/shared/platform/logger";
import type { LogLevel } from "@voice/shared/platform/logger";
import { composeLocalRecogniser, composeLocalSynthesiser } from "@voice/streaming-host/compose/local-speech";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { speechBeingMade } from "./lazy-speech.ts";

/** A newcomer should see the start screen, so the log reports only problems unless LOG_LEVEL is set. */
export function levelOfLog({ logLevel }: Pick<Settings, "logLevel">): LogLevel {
  return process.env["LOG_LEVEL"] === undefined ? "warn" : logLevel;
}

/**
 * Undefined where the environment names others, or a configuration store may yet do so. A conversation that begins before they are loaded waits
 * for them, and nothing else does. `onFailed`: they cannot be loaded.
 */
export function beginSpeech(
  settings: Settings,
  onFailed: (error: unknown) => void,
): (() => Promise<LocalSpeech>) | undefined {
  const { recognition, synthesis } = partsOf(settings);
  if (recognition.kind !== "local" || synthesis.kind !== "local" || settings.appConfigEndpoint !== undefined)
    return undefined;
  const parts = { settings, clock: systemClock, logger: createLogger({ level: levelOfLog(settings), name: "voice" }) };
  const engines = [composeLocalRecogniser(parts), composeLocalSynthesiser(parts)] as const;
  Promise.all(engines).catch(onFailed);
  const speech = speechBeingMade(...engines);
  return async () => speech;
}
