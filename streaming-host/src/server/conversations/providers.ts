/** The vendors' implementations that conversations use, chosen by the composition root. */
import type { BilledNames } from "@voice/shared/costs/billed-names";
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";

export interface Providers {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly languageModel: LanguageModel;
  /** Summarises long conversations; absent if no model can be used for anything but an agent's answers. */
  readonly summaryModel?: LanguageModel | undefined;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  /** Judges by a caller's voice whether they have finished (TURN-17), if a model for it is configured. */
  readonly voiceModel?: VoiceEndOfTurnModel | undefined;
  /** If absent, VOICE_LIVE sessions are refused. */
  readonly realtimeModel?: RealtimeModel | undefined;
  /** The names under which paid services are billed; absent: nothing is paid for. */
  readonly billed?: BilledNames | undefined;
}
