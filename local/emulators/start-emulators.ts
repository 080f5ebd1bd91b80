/**
 * The cloud services on loopback, on top of the local engines. The product is pointed at them to prove that its cloud
 * adapters work, without needing a cloud.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import {
  emulatedIdentity,
  emulatedSettings,
  openAiSettings,
  signInSettings,
  tokenRequest,
} from "./emulated-settings.ts";
import { startIdentityEmulator } from "./identity/emulator.ts";
import type { IdentityEmulator } from "./identity/emulator.ts";
import { agentOfPrompt } from "./openai/agent-of-prompt.ts";
import { startOpenAiEmulator } from "./openai/emulator.ts";
import type { OpenAiEmulator } from "./openai/emulator.ts";
import { withConversationRoles } from "./openai/conversation-roles.ts";
import { createModelResponder } from "./openai/model-responder.ts";
import { startRealtimeEmulator } from "./openai-realtime/emulator.ts";
import type { RealtimeEmulator } from "./openai-realtime/emulator.ts";
import type { ServerName } from "./openai/server-manners.ts";
import { speechMannersOf } from "./openai/speech-manners.ts";
import { startSpeechEmulator } from "./speech/emulator.ts";
import type { SpeechEmulator } from "./speech/emulator.ts";
import { startVoiceLiveEmulator } from "./voice-live/emulator.ts";
import type { VoiceLiveEmulator } from "./voice-live/emulator.ts";
import { withExamples } from "./with-examples.ts";

export type EmulatorsOptions = {
  /** The catalog of agents that answer and whose example sentences are understood. */
  readonly catalog: Catalog;
  /** The first of four ports in a row; free ones where absent. */
  readonly firstPort?: number | undefined;
  /** The server whose manners it has in OpenAI's protocol. */
  readonly server?: ServerName | undefined;
  /** The server whose manners it has in speech and transcription. */
  readonly speechServer?: string | undefined;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
  /** Engines to share; the emulators start their own if absent. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
};

export type Emulators = {
  readonly identity: IdentityEmulator;
  readonly openai: OpenAiEmulator;
  readonly speech: SpeechEmulator;
  readonly voiceLive: VoiceLiveEmulator;
  readonly realtime: RealtimeEmulator;
  /** Settings that point the product's Azure adapters here. */
  readonly settings: Readonly<Record<string, string>>;
  /** The request for a token that the product accepts with these settings. */
  readonly tokenRequest: ReturnType<typeof tokenRequest>;
  /** Settings that point the product here as to a server of OpenAI's protocol, without Azure. */
  readonly openAiSettings: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

async function startSpeech(clock: Clock, logger: Logger): Promise<LocalSpeech> {
  const [recogniser, synthesiser] = await Promise.all([
    createLocalRecogniser({ clock, logger }),
    createLocalSynthesiser({ clock, logger }),
  ]);
  return { recogniser, synthesiser };
}

/** The one key that every emulated service accepts. */
const key = "emulated-key";

export async function startEmulators(options: EmulatorsOptions): Promise<Emulators> {
  const { catalog, firstPort, server, speechServer, logger, clock = systemClock, localSpeech } = options;
  const agents = [...catalog.agents.values()];
  const { recogniser: engine, synthesiser } = await (localSpeech?.() ?? startSpeech(clock, logger));
  const recogniser = withExamples(engine, () => [...new Set(agents.flatMap(({ examples }) => examples))]);
  const agentsModel = createModelResponder(createRuleModel({ clock }), agentOfPrompt(agents));
  const respond = withConversationRoles(agentsModel);
  const port = (offset: number): { readonly port?: number } =>
    firstPort === undefined ? {} : { port: firstPort + offset };

  const { clientId, audience, people } = emulatedIdentity;
  const identity = await startIdentityEmulator({ ...port(0), clients: { [clientId]: key }, audience, people, clock });
  const realtime = await startRealtimeEmulator({ recogniser, synthesiser, respond, key, clock });
  const openai = await startOpenAiEmulator({
    ...port(1),
    server,
    respond,
    key,
    audio: { recogniser, synthesiser, ...speechMannersOf(speechServer) },
    upgrade: realtime.upgrade,
    clock,
  });
  const speech = await startSpeechEmulator({ ...port(2), recogniser, synthesiser, key, clock });
  const voiceLive = await startVoiceLiveEmulator({ ...port(3), recogniser, synthesiser, respond, key, clock });
  return {
    identity,
    openai,
    speech,
    voiceLive,
    realtime,
    settings: {
      ...emulatedSettings({ openai, speech, voiceLive }, key),
      ...signInSettings(identity),
    },
    tokenRequest: tokenRequest(identity, key),
    openAiSettings: openAiSettings(openai, key),
    async close() {
      await Promise.all([identity.close(), openai.close(), speech.close(), voiceLive.close(), realtime.close()]);
      await Promise.all([engine.close(), synthesiser.close()]);
    },
  };
}
