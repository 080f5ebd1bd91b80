/**
 * The real streaming host on a loopback port. Its parts are fakes that answer at once, or those that the settings name. All
 * tests and benchmarks that need a host within their process start it here; `phone-rig.ts` starts the whole service.
 */
import { createServer } from "node:http";
import { queueEnds } from "@voice/shared/state/due-ends";
import type { ConversationArchive } from "@voice/shared/archive/conversation-archive";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { LanguageModel, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { composeHost } from "@voice/streaming-host/compose/host";
import { openHost } from "@voice/streaming-host/compose/open-host";
import { givenProviders, providersBySettings } from "@voice/streaming-host/compose/providers";
import type { ComposedHost } from "@voice/streaming-host/compose/host";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import type { Providers } from "@voice/streaming-host/server/conversations/providers";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { builtInCatalog } from "./built-in-catalog.ts";
import { neverOverloaded } from "./never-overloaded.ts";
import { wordsAlone } from "./words-alone.ts";
import { servicesSpeech } from "./speech-engines.ts";
import { testClock } from "./test-clock.ts";

export interface TestHost extends AsyncDisposable {
  readonly port: number;
  readonly state: State;
  readonly composed: ComposedHost;
  readonly recogniser: FakeRecogniser;
  readonly synthesiser: FakeSynthesiser;
  /** What the model was asked. */
  readonly modelRequests: readonly ModelRequest[];
  url(path: string): string;
  close(): Promise<void>;
}

export interface TestHostOptions {
  /** A free one where absent. */
  readonly port?: number;
  readonly settings?: Environment;
  /** Its creator closes it; where absent, the host makes one of its own. */
  readonly state?: State;
  /** In place of the fakes; `settings`: all of them as the settings say. */
  readonly providers?: Partial<Providers> | "settings";
  /** In place of the model that repeats what it hears. */
  readonly answer?: LanguageModel["stream"] | undefined;
  /** The model sums long conversations up as well. */
  readonly sumsUp?: boolean;
  /** How fast the fake voice speaks. */
  readonly msPerCharacter?: number;
  /** Off where memory is measured. */
  readonly keepsFrames?: boolean;
  readonly archive?: ConversationArchive;
  /** In place of the built-in one. */
  readonly catalog?: Catalog;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly telemetry?: Telemetry;
  /** How long a caller may be silent. */
  readonly idleMs?: number | undefined;
  /** In place of what the tests of a worker share. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
}

export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const { clock = testClock, logger = silentLogger, archive } = options;
  const state = options.state ?? createMemoryState({ clock, logger });
  const fakes = createFakes(options, clock);
  const catalog = options.catalog ?? (await builtInCatalog());
  const settings = loadSettings({ PORT: "0", ...neverOverloaded, ...wordsAlone, ...options.settings });
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const queued = queueEnds(state, archive === undefined ? [state.toNote] : [state.toNote, state.toArchive]);
  const host = await openHost({ settings, state: queued, clock, logger }, identity, options.telemetry, archive);
  const composed = await composeHost(host, {
    identity,
    catalog,
    tools: demoTools,
    idleMs: options.idleMs,
    providers:
      options.providers === "settings"
        ? providersBySettings(catalog, options.localSpeech ?? (clock === testClock ? servicesSpeech : undefined))
        : givenProviders({ ...fakes.providers, ...options.providers }),
  });
  const { port, stop } = await serve(composed, options.port ?? 0);
  const { recogniser, synthesiser, modelRequests } = fakes;

  async function close(): Promise<void> {
    await composed.close(0);
    stop();
    if (options.state === undefined) await state.close();
  }

  return {
    port,
    state,
    composed,
    recogniser,
    synthesiser,
    modelRequests,
    url: (path) => `ws://127.0.0.1:${port}${path}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createFakes({ answer, sumsUp, msPerCharacter, keepsFrames }: TestHostOptions, clock: Clock) {
  const recogniser = new FakeRecogniser();
  recogniser.keepsFrames = keepsFrames ?? true;
  const synthesiser = new FakeSynthesiser(clock, msPerCharacter ?? 1);
  const modelRequests: ModelRequest[] = [];
  const model: LanguageModel = answer === undefined ? new EchoModel() : { stream: answer };
  const languageModel: LanguageModel = {
    stream(request, signal) {
      modelRequests.push(request);
      return model.stream(request, signal);
    },
  };
  const providers: Providers = {
    recogniser,
    synthesiser,
    languageModel,
    summaryModel: sumsUp === true ? languageModel : undefined,
    createVoiceActivityDetector: () => ({ isSpeech: (frame) => rmsLevel(frame) > 0.02, close: () => undefined }),
  };
  return { recogniser, synthesiser, modelRequests, providers };
}

/** On a loopback port: this one, or a free one for 0. */
export async function serve(
  { host }: ComposedHost,
  wanted: number,
): Promise<{ readonly port: number; readonly stop: () => void }> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    if (!host.handleUpgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  await new Promise<void>((resolve) => {
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
