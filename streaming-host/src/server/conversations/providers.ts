/** The vendors' parts that conversations are made with, chosen by the composition root. */
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";

export interface Providers {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly languageModel: LanguageModel;
  /** Sums long conversations up; absent where no model can be asked for anything but an agent's answers. */
  readonly summaryModel?: LanguageModel | undefined;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  /** Absent: VOICE_LIVE sessions are refused. */
  readonly realtimeModel?: RealtimeModel | undefined;
}
