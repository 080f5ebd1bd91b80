/** What a session that listens, thinks and speaks with three providers is given. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { ReplyOptions } from "../pipeline/cascade/reply.ts";
import type { Listener, ListenerEvents } from "../pipeline/listening/listener.ts";
import type { RecognitionHints } from "../providers/ports/recogniser.ts";
import type { SessionNotice, Transport } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import type { LookForChanges } from "./live-changes.ts";
import type { PlayoutTicker } from "./playout/playout-ticker.ts";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import type { SessionLoss } from "./fallback-session.ts";
import type { TurnSettings } from "./turn/turn-settings.ts";

export interface VoiceSessionOptions {
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly resumed: boolean;
  /** The host that had the conversation before has not handed it over: something may be lost. */
  readonly hasGap?: boolean | undefined;
  /** FAIL-6: another session has begun this conversation on this transport. */
  readonly takesOver?: Pick<SessionLoss, "opening" | "isAnnounced"> | undefined;
  readonly createListener: (hints: RecognitionHints, events: ListenerEvents) => Listener;
  readonly reply: Omit<ReplyOptions, "sampleRateHz" | "catalog">;
  readonly turnSettings: (silenceMs: number | undefined) => TurnSettings;
  readonly ticker: PlayoutTicker;
  readonly recorder: SessionRecorder;
  /** What has to be said before anything else; REC-3. */
  readonly announcement?: string | undefined;
  /** Absent: what the session began with stays. */
  readonly lookForChanges?: LookForChanges | undefined;
  /** Whom the session is bound to; a name worth a bias for the recogniser. */
  readonly callerName?: (() => string | undefined) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Everything the transport is told, for those who watch. */
  readonly publish: (notice: SessionNotice) => void;
  /** What a tool asks of the host beyond this conversation (transfer, keys, a person). */
  readonly onEffect: (effect: HostEffect) => Promise<EffectOutcome>;
}
