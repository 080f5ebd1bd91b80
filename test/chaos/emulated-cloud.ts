/**
 * The speech service and the model that the fleet's hosts use, with engines of this machine behind them, and the ways in which
 * they fail: they refuse, they are slow, their network goes away. The hosts reach each by a way of its own.
 */
import { fileURLToPath } from "node:url";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { builtInCatalogDir } from "@voice/shared/catalog/read-catalog";
import { systemClock } from "@voice/shared/platform/clock";
import { pause } from "@voice/shared/platform/pause";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { agentOfPrompt } from "../../local/emulators/openai/agent-of-prompt.ts";
import { startOpenAiEmulator } from "../../local/emulators/openai/emulator.ts";
import { createModelResponder } from "../../local/emulators/openai/model-responder.ts";
import { startSpeechEmulator } from "../../local/emulators/speech/emulator.ts";
import { withExamples } from "../../local/emulators/with-examples.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import type { TcpBalancer } from "../support/tcp-balancer.ts";

const catalogFolder = fileURLToPath(new URL("../fixtures/survival-catalog", import.meta.url));
const key = "emulated-key";

export interface EmulatedCloud {
  readonly settings: Readonly<Record<string, string>>;
  readonly engines: LocalSpeech;
  readonly ways: readonly TcpBalancer[];
  /** What the model does with requests from now on. */
  modelBehaviour: "answers" | "refuses" | "is slow";
  close(): Promise<void>;
}

/** As slow as a service that is overloaded and still answers. */
const slowAnswerMs = 3000;

export async function startEmulatedCloud(): Promise<EmulatedCloud> {
  await using parts = new AsyncDisposableStack();
  const clock = systemClock;
  const known = { tools: demoTools, mcpServers: ["booking"] };
  const catalog = await loadCatalog([builtInCatalogDir(), catalogFolder], known, { language: catalogLanguage });
  // The built-in catalog gives what every agent shares; nobody in these calls talks to its agents.
  const agents = [...catalog.agents.values()].filter(({ name }) => name === "clerk");
  const [engine, synthesiser] = await Promise.all([
    createLocalRecogniser({ clock }),
    createLocalSynthesiser({ clock }),
  ]);
  parts.defer(() => engine.close());
  parts.defer(() => synthesiser.close());
  const recogniser = withExamples(engine, () => [...new Set(agents.flatMap(({ examples }) => examples))]);
  const answer = createModelResponder(createRuleModel({ clock }), agentOfPrompt(agents));
  const openai = await startOpenAiEmulator({
    key,
    clock,
    async respond(request, signal) {
      if (cloud.modelBehaviour === "refuses") return { kind: "refusal", status: 503, code: "overloaded" };
      if (cloud.modelBehaviour === "is slow") await pause(clock, slowAnswerMs, signal);
      return answer(request, signal);
    },
  });
  parts.defer(() => openai.close());
  const speech = await startSpeechEmulator({ recogniser, synthesiser, key, clock });
  parts.defer(() => speech.close());
  const portOf = (url: string): number => Number(new URL(url).port);
  const wayToModel = await startTcpBalancer([portOf(openai.baseUrl)]);
  parts.defer(() => wayToModel.close());
  const wayToSpeech = await startTcpBalancer([portOf(speech.endpoint)]);
  parts.defer(() => wayToSpeech.close());
  const running = parts.move();
  const cloud: EmulatedCloud = {
    settings: {
      CLOUD_OPENAI_ENDPOINT: `http://127.0.0.1:${wayToModel.port}/openai/v1/`,
      CLOUD_OPENAI_DEPLOYMENT: "emulated",
      CLOUD_OPENAI_KEY: key,
      CLOUD_SPEECH_ENDPOINT: `http://127.0.0.1:${wayToSpeech.port}`,
      CLOUD_SPEECH_KEY: key,
    },
    engines: { recogniser: engine, synthesiser },
    ways: [wayToModel, wayToSpeech],
    modelBehaviour: "answers",
    close: () => running.disposeAsync(),
  };
  return cloud;
}
