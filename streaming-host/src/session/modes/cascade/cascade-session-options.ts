/** The options of a session with separate recognition, language model and synthesis. */
import type { ReplyOptions } from "./cascade-reply.ts";
import type { CreateSessionListener } from "../../../pipeline/listening/listener.ts";
import type { Agent } from "@voice/shared/catalog/agent";
import type { LostTime } from "../../conversation/open-conversation.ts";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import type { SessionLoss } from "../fallback-session.ts";
import type { SpeakingSessionOptions } from "../session-options.ts";

export interface VoiceSessionOptions extends SpeakingSessionOptions {
  /** Set where the previous host has not released the conversation. */
  readonly lostMs?: LostTime | undefined;
  /** FAIL-6: set if a realtime session began this conversation on this transport and lost its model. */
  readonly realtimeLoss?: Pick<SessionLoss, "callerWaits" | "isAnnounced" | "handOver" | "unheard"> | undefined;
  readonly createListener: CreateSessionListener;
  readonly reply: Omit<ReplyOptions, "sampleRateHz" | "catalog">;
  /** Has the words for when something fails made in the voice and the language of this agent, before they are needed. */
  readonly prepareFallback?: ((agent: Agent) => void) | undefined;
  readonly turnSettings: (
    silenceMs: number | undefined,
    language: LanguagePack,
  ) => Omit<TurnSettings, "policy" | "expected" | "language">;
}
