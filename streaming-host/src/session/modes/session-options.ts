/** What sessions are started with: those of every mode, and those in which an agent speaks. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionNotice, Transport } from "../../transports/transport.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { CheckForChanges } from "../conversation/live-changes.ts";
import type { FlightRecorder } from "../flight/flight-recorder.ts";
import type { SessionProbe } from "../output/session-probe.ts";
import type { PlayoutTicker } from "../playout/playout-ticker.ts";
import type { ListenToPerson } from "../person/person-line.ts";
import type { SessionRecorder } from "../recording/session-recorder.ts";
import type { CarryOutEffect } from "./call-effects.ts";

export interface SessionOptions {
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly resumed: boolean;
  readonly recorder: SessionRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Receives everything that the transport is told, for watchers. */
  readonly publish: (notice: SessionNotice) => void;
  readonly probe: SessionProbe;
  readonly flightRecorder: FlightRecorder;
  /** The session's customer, whose name helps the recogniser (TURN-14). */
  readonly callerName?: (() => string | undefined) | undefined;
}

export interface SpeakingSessionOptions extends SessionOptions {
  readonly ticker: PlayoutTicker;
  /** An announcement to be made before anything else (REC-3). */
  readonly announcement?: string | undefined;
  readonly checkForChanges: CheckForChanges;
  /** PERSON-5. Absent: what a person says who has taken over is not recognised. */
  readonly listenToPerson?: ListenToPerson | undefined;
  /** Carries out effects that tools request beyond this conversation (transfer, keys, a person). */
  readonly onEffect: CarryOutEffect;
  /** Milliseconds of the caller's audio that a previous session has processed. */
  readonly heardBeforeMs?: number | undefined;
}
