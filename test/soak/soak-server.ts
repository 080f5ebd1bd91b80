/** The streaming host of the soak, on parts that take no time and, where its port is given, a Redis. */
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { loadSettings } from "@voice/shared/config/load";
import { identityOf } from "@voice/shared/config/load-configuration";
import { demoTools } from "@voice/shared/demo/demo-parts";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import { createState } from "@voice/shared/state/create-state";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { genericHandoffTool } from "@voice/shared/tools/handoff-tools";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { composeHost } from "@voice/streaming-host/compose/host";
import { openHost } from "@voice/streaming-host/compose/open-host";
import { givenProviders } from "@voice/streaming-host/compose/providers";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { z } from "zod";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import { serve } from "../support/test-host.ts";
import { reportFigures } from "../bench/load/figures.ts";
import { MarkedRecogniser, ToneSynthesiser } from "../bench/instant-providers.ts";

/**
 * Short, so that what a conversation leaves behind is gone again before the soak is over; and longer than it takes until the third attempt to
 * archive it, 37 s after its end, which no longer waits for a recording that a busy disk is late with.
 */
const lifeSpans = { ...defaultLifeSpans, sessionMs: 90_000, tombstoneMs: 30_000, eventMs: 90_000, callMs: 90_000 };
/** Every so many requests somebody is handed on. */
const requestsBetweenHandoffs = 5;

class WanderingModel implements LanguageModel {
  readonly #echo = new EchoModel();
  #requests = 0;

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    this.#requests++;
    const last = request.messages.at(-1);
    const target = targetOf(request);
    if (target === undefined || last?.role !== "user" || this.#requests % requestsBetweenHandoffs !== 0) {
      yield* this.#echo.stream(request, signal);
      return;
    }
    const argumentsJson = JSON.stringify({ target_agent: target, reason: "The caller has asked for it." });
    const call = { id: `handoff-${this.#requests}`, name: genericHandoffTool, argumentsJson };
    yield { type: "tool-call", call };
    yield { type: "finished", reason: "tool-calls", usage: { inputTokens: 10, outputTokens: 5 } };
  }
}

const targets = z.object({ properties: z.object({ target_agent: z.object({ enum: z.array(z.string()) }) }) });

function targetOf({ tools }: ModelRequest): string | undefined {
  const generic = tools.find(({ name }) => name === genericHandoffTool);
  return generic === undefined ? undefined : targets.parse(generic.parameters).properties.target_agent.enum[0];
}

reportFigures();
const [cachePort = "0", hostPort = "0", given = "{}", archiveUrl = ""] = process.argv.slice(2);
const database = "voice";
const settings = loadSettings({
  ...(cachePort !== "0" && { CACHE_HOST: "127.0.0.1", CACHE_PORT: cachePort }),
  CLOUD_DOCSTORE_ENDPOINT: archiveUrl,
  CLOUD_DOCSTORE_DATABASE: database,
  ...z.record(z.string(), z.string()).parse(JSON.parse(given)),
  AGENT_SCENARIO: "banking",
  MAX_SESSIONS: "1000",
  MAX_EVENT_LOOP_DELAY: "60000",
  MAX_SESSIONS_PER_HOUR: "1000000",
});
const parts = { clock: systemClock, logger: silentLogger };
const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
const state = await createState(settings, { ...parts, identity, lifeSpans });
const archive = createCosmosArchive({
  endpoint: archiveUrl,
  database,
  tokens: () => () => Promise.resolve("of-entra"),
  scope: "https://cosmos.azure.com/.default",
});
const host = await composeHost(await openHost({ ...parts, settings, state }, identity, noTelemetry, archive), {
  identity,
  catalog: await builtInCatalog(),
  tools: demoTools,
  providers: givenProviders({
    recogniser: new MarkedRecogniser(),
    synthesiser: new ToneSynthesiser(),
    languageModel: new WanderingModel(),
    createVoiceActivityDetector: await loadVoiceActivity(await loadSpeechModel()),
  }),
});
const { port } = await serve(host, Number(hostPort));
process.send?.({ port });
