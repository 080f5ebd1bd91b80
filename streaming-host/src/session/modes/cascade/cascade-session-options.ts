/** The options of a session with separate recognition, language model and synthesis. */
import type { ReplyOptions } from "../../../pipeline/cascade/reply.ts";
import type { CreateSessionListener } from "../../../pipeline/listening/listener.ts";
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import type { SessionLoss } from "../fallback-session.ts";
import type { SpeakingSessionOptions } from "../speaking-session.ts";

export interface VoiceSessionOptions extends SpeakingSessionOptions {
  /** The previous host has not released the conversation, so something may be lost. */
  readonly hasGap?: boolean | undefined;
  /** FAIL-6: set if a realtime session began this conversation on this transport and lost its model. */
  readonly realtimeLoss?: Pick<SessionLoss, "callerWaits" | "isAnnounced"> | undefined;
  readonly createListener: CreateSessionListener;
  readonly reply: Omit<ReplyOptions, "sampleRateHz" | "catalog">;
  /** Synthesises the phrases for failures in this voice before they are needed. */
  readonly prepareFallback?: ((voice: Voice) => void) | undefined;
  readonly turnSettings: (silenceMs: number | undefined) => Omit<TurnSettings, "policy" | "expected">;
  /** The session's customer, whose name biases the recogniser. */
  readonly callerName?: (() => string | undefined) | undefined;
}
