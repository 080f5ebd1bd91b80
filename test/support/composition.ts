/**
 * The ways in which one and the same conversation is put together: with the parts of this machine, with the cloud's speech
 * and language model, with its realtime model. Composed from settings as the product is; the cloud is the emulated one.
 */
import { silentLogger } from "@voice/shared/platform/logger";
import type { Clock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { builtInCatalog } from "./built-in-catalog.ts";
import { noFillers } from "./no-fillers.ts";
import { startTestHost } from "./test-host.ts";
import { servicesSpeech, spokenLine } from "./speech-engines.ts";
import { testClock } from "./test-clock.ts";

export interface Composition {
  /** Completes "a conversation …". */
  readonly name: string;
  /** Which of the emulated services the settings name. */
  readonly services: readonly string[];
  readonly streamingMode: "REALTIME" | "VOICE_LIVE";
  /** What recognises and speaks on this machine; what remembers where absent. */
  readonly localSpeech?: () => Promise<LocalSpeech>;
}

export const local: Composition = { name: "with this machine's parts", services: [], streamingMode: "REALTIME" };
export const cloud: Composition = {
  name: "with the cloud's speech and language model",
  services: ["CLOUD_SPEECH", "CLOUD_OPENAI"],
  streamingMode: "REALTIME",
};
export const realtime: Composition = {
  name: "with the cloud's realtime model",
  services: ["CLOUD_VOICELIVE"],
  streamingMode: "VOICE_LIVE",
};
export interface ComposedService {
  readonly state: State;
  /** Undefined where no service of the cloud takes part. */
  readonly emulators: Emulators | undefined;
  call(query?: Readonly<Record<string, string>>): Promise<Caller>;
  /** The caller's voice, at the rate of this mode. */
  line(text: string): Promise<Int16Array>;
  /** What the caller heard, at the rate that a judge hears. */
  heardBy(caller: Caller): Int16Array;
  close(): Promise<void>;
}

const judgeRateHz = 16_000;

export async function compose(
  { services, streamingMode, localSpeech }: Composition,
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly idleMs?: number;
    readonly clock?: Clock;
  } = {},
): Promise<ComposedService> {
  const { clock = testClock } = options;
  const emulators =
    services.length === 0
      ? undefined
      : await startEmulators({
          catalog: await builtInCatalog(),
          logger: silentLogger,
          clock,
          localSpeech: clock === testClock ? servicesSpeech : undefined,
        });
  const chosen = Object.entries(emulators?.settings ?? {}).filter(([name]) =>
    services.some((service) => name.startsWith(service)),
  );
  const state = createMemoryState({ clock, logger: silentLogger });
  const host = await startTestHost({
    state,
    settings: { ...noFillers, ...Object.fromEntries(chosen), ...options.environment },
    providers: "settings",
    clock,
    idleMs: options.idleMs,
    localSpeech,
  });
  const rateHz = streamingMode === "VOICE_LIVE" ? 24_000 : 16_000;
  return {
    state,
    emulators,
    call(query = {}) {
      const search = new URLSearchParams({ streaming_mode: streamingMode, ...query });
      return connectCaller({ clock, url: new URL(host.url(`/api/v1/browser/conversation?${search.toString()}`)) });
    },
    line: (text) => spokenLine({ text, voice: "slt", sampleRateHz: rateHz }),
    heardBy: (caller) => resampleAll(caller.recording.agentOnly(), rateHz, judgeRateHz),
    async close() {
      await host.close();
      await Promise.all([emulators?.close(), state.close()]);
    },
  };
}
