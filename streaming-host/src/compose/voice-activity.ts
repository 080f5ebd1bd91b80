/** Detection of speech for all sessions of a host, and the model that confirms it where this machine can run one. */
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import type { JudgeSpeech } from "@voice/provider-kit/voice-activity/speech-model";
import type { Settings } from "@voice/shared/config/settings";
import type { Logger } from "@voice/shared/platform/logger";

export async function composeVoiceActivity(
  { settings, logger }: { readonly settings: Pick<Settings, "vadModelEnabled">; readonly logger: Logger },
  loadModel: () => Promise<JudgeSpeech> = loadSpeechModel,
): Promise<CreateVoiceActivityDetector> {
  const judgeSpeech = settings.vadModelEnabled
    ? await loadModel().catch((error: unknown) => {
        logger.warn(
          { error },
          "the model that confirms speech cannot run on this machine, so music and noise may be taken for speech; VAD_MODEL_ENABLED=false does without it",
        );
        return undefined;
      })
    : undefined;
  return loadVoiceActivity(judgeSpeech);
}
