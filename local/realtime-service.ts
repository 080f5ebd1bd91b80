/**
 * A realtime model on this machine: the Voice Live emulator over the local engines and the rule model, and the settings
 * that make the service use it. The engines are made when the first session opens: most people never open one.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { agentOfPrompt } from "./emulators/openai/agent-of-prompt.ts";
import { createModelResponder } from "./emulators/openai/model-responder.ts";
import { lazyRecogniser, lazySynthesiser } from "./lazy-speech.ts";
import { startVoiceLiveEmulator } from "./emulators/voice-live/emulator.ts";
import { withExamples } from "./emulators/with-examples.ts";

export interface RealtimeService {
  /** Environment variables that make the service use it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** `localSpeech`: engines that are already running; where absent, it starts its own. */
export async function startLocalRealtimeService(
  agents: readonly Agent[],
  clock: Clock = systemClock,
  localSpeech?: () => Promise<LocalSpeech>,
): Promise<RealtimeService> {
  const recogniser = lazyRecogniser(
    async () => (await localSpeech?.())?.recogniser ?? createLocalRecogniser({ clock }),
  );
  const synthesiser = lazySynthesiser(
    async () => (await localSpeech?.())?.synthesiser ?? createLocalSynthesiser({ clock }),
  );
  const key = "local";
  // Rules of a checked catalog are compiled for this.
  const examples = (): readonly string[] => agents.flatMap((agent) => agent.examples);
  const emulator = await startVoiceLiveEmulator({
    recogniser: withExamples(recogniser, examples),
    synthesiser,
    respond: createModelResponder(createRuleModel({ clock }), agentOfPrompt(agents)),
    key,
    clock,
  });
  return {
    environment: {
      CLOUD_VOICELIVE_ENDPOINT: emulator.endpoint,
      CLOUD_VOICELIVE_MODEL: "local",
      CLOUD_VOICELIVE_KEY: key,
    },
    async close() {
      await emulator.close();
      await Promise.all([recogniser.close(), synthesiser.close()]);
    },
  };
}
