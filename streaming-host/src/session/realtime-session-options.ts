/** What a session in VOICE_LIVE mode is given. */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
import type { RealtimeModel } from "../providers/ports/realtime-model.ts";
import type { SessionNotice, Transport } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import type { SessionLoss } from "./fallback-session.ts";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import type { LookForChanges } from "./live-changes.ts";
import type { PlayoutTicker } from "./playout/playout-ticker.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import type { RealtimeTurnSettings } from "./realtime-settings.ts";

export interface RealtimeSessionOptions {
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly resumed: boolean;
  readonly model: RealtimeModel;
  readonly tools: ToolRunner;
  readonly turn: RealtimeTurnSettings;
  readonly retry: RetrySettings;
  readonly ticker: PlayoutTicker;
  readonly recorder: SessionRecorder;
  /** What has to be said before anything else; REC-3. */
  readonly announcement?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Absent: what the session began with stays. */
  readonly lookForChanges?: LookForChanges | undefined;
  readonly publish: (notice: SessionNotice) => void;
  readonly onEffect: (effect: HostEffect) => Promise<EffectOutcome>;
  /** FAIL-6: the model is gone and another session goes on. Absent: the conversation ends with the model. */
  readonly onLost?: ((loss: SessionLoss) => void) | undefined;
}
