/** A streaming host whose speech and language model are the cloud adapters, against emulators on the local engines. */
import { createServer } from "node:http";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { composeHost } from "@voice/streaming-host/compose";
import { createAzureSpeech } from "@voice/streaming-host/providers/azure/from-settings";
import { loadVoiceActivity } from "@voice/streaming-host/providers/local/voice-activity/local-voice-activity";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";

export type EmulatedService = {
  readonly emulators: Emulators;
  readonly state: State;
  /** Where a browser would talk. */
  readonly url: URL;
  close(): Promise<void>;
};

export async function startEmulatedService(overrides: Readonly<Record<string, string>> = {}): Promise<EmulatedService> {
  const catalog = await loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] });
  const emulators = await startEmulators({ catalog, logger: silentLogger });
  const settings = loadSettings({ ...emulators.settings, ...overrides });
  const parts = {
    tokens: () => () => Promise.reject(new Error("the emulators take keys")),
    clock: systemClock,
    logger: silentLogger,
  };
  const languageModel = createOpenAiFromSettings(settings, parts);
  if (languageModel === undefined) throw new Error("the settings name no language model");
  const state = createMemoryState({ clock: systemClock, logger: silentLogger });
  const composed = await composeHost({
    settings,
    state,
    catalog,
    tools: builtInTools,
    logger: silentLogger,
    providers: {
      ...createAzureSpeech(settings, parts),
      languageModel,
      createVoiceActivityDetector: await loadVoiceActivity(),
    },
  });
  const server = createServer();
  server.on("upgrade", (request, socket, head) => composed.host.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  return {
    emulators,
    state,
    url: new URL(`ws://127.0.0.1:${address.port}/api/v1/browser/conversation`),
    async close() {
      await composed.close(0);
      server.close();
      await emulators.close();
    },
  };
}
