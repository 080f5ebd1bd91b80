/** What a cascade session gives to the runner of its replies. */
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { ReplyOptions } from "../../../pipeline/cascade/reply.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { HostEffect } from "../../conversation/host-effects.ts";
import type { SessionProbe } from "../../output/session-probe.ts";
import type { Playout } from "../../playout/playout.ts";
import type { SessionRecorder } from "../../recording/session-recorder.ts";
import type { ReplyFailure } from "../../turn/turn-events.ts";
import type { Recognition } from "./reply-marks.ts";
import type { GuardrailHit } from "../../../pipeline/guardrail-hit.ts";

export interface ReplyRunnerOptions {
  readonly conversation: Conversation;
  readonly playout: Playout;
  readonly recorder: SessionRecorder;
  /** The fixed words for this kind of reply. */
  readonly announcement: string | undefined;
  readonly clock: Clock;
  readonly reply: Omit<ReplyOptions, "catalog">;
  /** Said before the first reply. */
  readonly opener: string | undefined;
  readonly notify: (notice: SessionNotice) => void;
  readonly probe: SessionProbe;
  /**
   * When the caller spoke and when the recogniser finalised the text of the turn being answered; undefined if it was
   * typed.
   */
  readonly takeRecognition: () => Recognition | undefined;
  readonly onFailed: (turnId: string, failure: ReplyFailure, error: VoiceError) => void;
  /** The model has produced the first words of this reply. */
  readonly onWritten: (turnId: string) => void;
  /** All words of this reply are known. */
  readonly onWhole: () => void;
  /** The model did not complete its answer. */
  readonly onCut: (turnId: string, cut: AnswerCut) => void;
  readonly onGuardrail: (turnId: string, hit: GuardrailHit) => void;
  /** The model has called tools in so many answers, and may call no more in this turn. */
  readonly onRoundsSpent: (turnId: string, rounds: number) => void;
  /** A tool requests an effect that only the host can carry out. */
  readonly onEffect: (effect: HostEffect) => void;
  /** Another agent is active, with other hints and another voice. */
  readonly onAgentChanged: () => void;
  /** What the agent has just asked for, so that the recogniser can expect it. */
  readonly onAwaits: (awaits: AwaitedAnswer | undefined) => void;
  /** The playout has become active. */
  readonly onProgress: () => void;
}
