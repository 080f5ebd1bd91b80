/** The streaming host of the soak, on parts that take no time and, where its port is given, a Redis. */
import { createCosmosArchive } from "@voice/shared/archive/cosmos-archive";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { tabulateConversations } from "@voice/shared/state/tabulated-state";
import { announceState } from "@voice/shared/webhooks/announced-state";
import { genericHandoffTool } from "@voice/shared/tools/handoff-tools";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { z } from "zod";
import { startTestHost } from "../support/test-host.ts";
import { tellFigures } from "../bench/load/figures.ts";
import { MarkedRecogniser, ToneSynthesiser } from "../bench/instant-providers.ts";

/** Short, so that what a conversation leaves behind is gone again before the soak is over. */
const lifeSpans = { ...defaultLifeSpans, sessionMs: 30_000, tombstoneMs: 30_000, eventMs: 30_000, callMs: 60_000 };
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

const logged = { clock: systemClock, logger: silentLogger };

async function openStore(port: number): Promise<State> {
  if (port === 0) return createMemoryState(logged);
  const endpoint: CacheEndpoint = {
    host: "127.0.0.1",
    port,
    tls: undefined,
    authentication: { type: "none" },
    connectionTimeoutMs: 5000,
    operationTimeoutMs: 5000,
    maxConnections: 20,
  };
  return openRedisState(endpoint, logged, { lifeSpans });
}

tellFigures();
const [cachePort = "0", hostPort = "0", given = "{}", archiveUrl = ""] = process.argv.slice(2);
const settings = z.record(z.string(), z.string()).parse(JSON.parse(given));
const urls = [settings["WEBHOOK_URLS"]].filter((url) => url !== undefined);
const stored = tabulateConversations(await openStore(Number(cachePort)), logged);
const host = await startTestHost({
  state: announceState(stored, urls, settings["BASE_URL"], systemClock),
  archive: createCosmosArchive({
    endpoint: archiveUrl,
    database: "voice",
    tokens: () => () => Promise.resolve("of-entra"),
    scope: "https://cosmos.azure.com/.default",
  }),
  clock: systemClock,
  port: Number(hostPort),
  settings: {
    ...settings,
    AGENT_SCENARIO: "banking",
    MAX_SESSIONS: "1000",
    MAX_EVENT_LOOP_DELAY: "60000",
    MAX_SESSIONS_PER_HOUR: "1000000",
  },
  providers: {
    recogniser: new MarkedRecogniser(),
    synthesiser: new ToneSynthesiser(),
    languageModel: new WanderingModel(),
    createVoiceActivityDetector: await loadVoiceActivity(await loadSpeechModel()),
  },
});
process.send?.({ port: host.port });
