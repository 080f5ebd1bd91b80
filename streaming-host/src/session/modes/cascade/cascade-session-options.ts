/** What a session that listens, thinks and speaks with three providers is given. */
import type { ReplyOptions } from "../../../pipeline/cascade/reply.ts";
import type { CreateSessionListener } from "../../../pipeline/listening/listener.ts";
import type { Agent } from "@voice/shared/catalog/agent";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import type { SessionLoss } from "../fallback-session.ts";
import type { SpeakingSessionOptions } from "../speaking-session.ts";

export interface VoiceSessionOptions extends SpeakingSessionOptions {
  /** The host that had the conversation before has not released it: something may be lost. */
  readonly hasGap?: boolean | undefined;
  /** FAIL-6: a realtime session has begun this conversation on this transport, and has lost its model. */
  readonly realtimeLoss?: Pick<SessionLoss, "callerWaits" | "isAnnounced"> | undefined;
  readonly createListener: CreateSessionListener;
  readonly reply: Omit<ReplyOptions, "sampleRateHz" | "catalog">;
  /** Has the words for when something fails made in the voice and the language of this agent, before they are needed. */
  readonly prepareFallback?: ((agent: Agent) => void) | undefined;
  readonly turnSettings: (
    silenceMs: number | undefined,
    language: LanguagePack,
  ) => Omit<TurnSettings, "policy" | "expected" | "language">;
  /** Whom the session is bound to; a name worth a bias for the recogniser. */
  readonly callerName?: (() => string | undefined) | undefined;
}
