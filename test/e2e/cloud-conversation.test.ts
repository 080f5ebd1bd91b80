/**
 * The main job with every cloud adapter in the path: a caller's audio over a real socket, to the Speech protocol, to the
 * chat protocol, and back. Behind the protocols are the local engines, so that what is said and heard is real.
 */
import { createServer } from "node:http";
import type { Server } from "node:http";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { builtInTools } from "@voice/shared/tools/built-in-tools";
import { startEmulators } from "@voice/local/emulators/start-emulators";
import type { Emulators } from "@voice/local/emulators/start-emulators";
import { composeHost } from "@voice/streaming-host/compose";
import type { ComposedHost } from "@voice/streaming-host/compose";
import { createAzureSpeech } from "@voice/streaming-host/providers/azure/from-settings";
import { loadVoiceActivity } from "@voice/streaming-host/providers/local/voice-activity/local-voice-activity";
import { createLocalSynthesiser } from "@voice/streaming-host/providers/local/synthesiser/local-synthesiser";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import type { Synthesiser } from "@voice/streaming-host/providers/ports/synthesiser";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectCaller } from "../../local/caller/caller.ts";
import { speakText } from "../../local/caller/line-audio.ts";

let emulators: Emulators;
let composed: ComposedHost;
let server: Server;
let callerVoice: Synthesiser;
let url: URL;

beforeAll(async () => {
  const catalog = await loadCatalog([builtInCatalogDir()], { tools: builtInTools, mcpServers: [] });
  emulators = await startEmulators({ catalog, logger: silentLogger });
  const settings = loadSettings(emulators.settings);
  const parts = {
    tokens: () => () => Promise.reject(new Error("the emulators take keys")),
    clock: systemClock,
    logger: silentLogger,
  };
  const languageModel = createOpenAiFromSettings(settings, parts);
  if (languageModel === undefined) throw new Error("the settings name no language model");
  composed = await composeHost({
    settings,
    state: createMemoryState({ clock: systemClock, logger: silentLogger }),
    catalog,
    tools: builtInTools,
    logger: silentLogger,
    providers: {
      ...createAzureSpeech(settings, parts),
      languageModel,
      createVoiceActivityDetector: await loadVoiceActivity(),
    },
  });
  server = createServer();
  server.on("upgrade", (request, socket, head) => composed.host.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  url = new URL(`ws://127.0.0.1:${address.port}/api/v1/browser/conversation`);
  callerVoice = await createLocalSynthesiser();
});

afterAll(async () => {
  await composed.close(0);
  server.close();
  await Promise.all([emulators.close(), callerVoice.close()]);
});

it("greets, understands, calls a tool and answers, all through the cloud's protocols", async () => {
  using caller = await connectCaller({ url });
  const line = (text: string) => speakText(callerVoice, { text, voice: "slt", sampleRateHz: 16_000 });
  const welcome = await caller.waitForReply();
  expect(welcome.says).toHaveLength(1);

  await caller.speak(await line("I want to check my balance"));
  const question = await caller.waitForReply();
  expect(question.heardText).toBe("i want to check my balance");
  expect(question.says.at(-1)?.text).toBe("Sure. Checking or savings?");

  await caller.speak(await line("checking"));
  const answer = await caller.waitForReply();
  expect(answer.toolCalls).toMatchObject([{ name: "get_account_balance", status: "success" }]);
  expect(answer.says.at(-1)?.text).toContain("two thousand four hundred thirty dollars");

  expect(emulators.openai.requests.length).toBeGreaterThanOrEqual(3);
  const spoken = emulators.speech.connections.filter(({ paths }) => paths.includes("ssml"));
  expect(spoken.length).toBeGreaterThan(0);
  expect(emulators.speech.connections.some(({ audioBytes }) => audioBytes.length > 100)).toBe(true);
}, 60_000);

it("falls silent when it is interrupted, and answers the interruption", async () => {
  using caller = await connectCaller({ url });
  await caller.waitForAgentAudio();
  await caller.pause(500);
  await caller.speak(
    await speakText(callerVoice, { text: "I want to check my balance", voice: "slt", sampleRateHz: 16_000 }),
  );
  const reply = await caller.waitForReply();
  expect(reply.says.at(-1)?.text).toBe("Sure. Checking or savings?");
}, 60_000);
