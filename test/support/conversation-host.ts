/** The real streaming host on a real port, with providers that answer at once. */
import { createServer } from "node:http";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Logger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { rmsLevel } from "@voice/streaming-host/audio/levels";
import { composeHost } from "@voice/streaming-host/compose";
import type { ComposedHost } from "@voice/streaming-host/compose";
import type { Providers } from "@voice/streaming-host/server/conversation-services";
import type { LanguageModel } from "@voice/streaming-host/providers/ports/language-model";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";

export interface TestHost extends AsyncDisposable {
  readonly port: number;
  readonly state: State;
  readonly composed: ComposedHost;
  readonly recogniser: FakeRecogniser;
  readonly synthesiser: FakeSynthesiser;
  url(path: string): string;
}

export interface TestHostOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly state?: State;
  readonly model?: LanguageModel;
  readonly msPerCharacter?: number;
  readonly logger?: Logger;
  readonly idleMs?: number;
  readonly keepsFrames?: boolean;
  /** In place of the fakes. */
  readonly providers?: Partial<Providers>;
}

export async function startTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const clock = systemClock;
  const logger = options.logger ?? silentLogger;
  const state = options.state ?? createMemoryState({ clock, logger });
  const recogniser = new FakeRecogniser();
  recogniser.keepsFrames = options.keepsFrames ?? true;
  const synthesiser = new FakeSynthesiser(clock, options.msPerCharacter ?? 1);
  const composed = await composeHost({
    settings: loadSettings({ PORT: "0", ...options.settings }),
    state,
    catalog: await loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] }),
    tools: builtInTools,
    logger,
    clock,
    providers: {
      recogniser,
      synthesiser,
      languageModel: options.model ?? new EchoModel(),
      createVoiceActivityDetector: () => ({
        isSpeech: (frame) => rmsLevel(frame) > 0.02,
        close: () => undefined,
      }),
      ...options.providers,
    },
    idleMs: options.idleMs,
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    if (!composed.host.handleUpgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    state,
    composed,
    recogniser,
    synthesiser,
    url: (path) => `ws://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      await composed.close(0);
      server.close();
      server.closeAllConnections();
      await state.close();
    },
  };
}
