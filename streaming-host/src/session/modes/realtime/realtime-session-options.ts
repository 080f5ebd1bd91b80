/** The options of a session in VOICE_LIVE mode. */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { ToolRunner } from "../../../pipeline/tool-round.ts";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { SessionLoss } from "../fallback-session.ts";
import type { SpeakingSessionOptions } from "../session-options.ts";
import type { RealtimeTurnSettings } from "./realtime-settings.ts";

export interface RealtimeSessionOptions extends SpeakingSessionOptions {
  readonly model: RealtimeModel;
  readonly tools: ToolRunner;
  readonly turn: RealtimeTurnSettings;
  /** For fillers (FILL-1) only: the model speaks its replies itself. */
  readonly synthesiser: Pick<Synthesiser, "synthesise">;
  readonly retry: RetrySettings;
  readonly random: () => number;
  /**
   * FAIL-6: called when the model is lost and another session takes over. Absent: the conversation ends with the model.
   */
  readonly onLost?: ((loss: SessionLoss) => void) | undefined;
}
