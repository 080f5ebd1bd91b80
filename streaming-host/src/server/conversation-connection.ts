/** A conversation on a socket: feeds the session from the transport, and swaps it when the client asks for a fresh one. */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createDigitCollector } from "../session/digit-collector.ts";
import type { ConversationRequest } from "../session/open-conversation.ts";
import { brokenSession } from "../session/live-session.ts";
import type { LiveSession } from "../session/live-session.ts";
import { callTooLong } from "../session/turn/turn-effects.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import type { ControlAction, SessionConfig, Transport } from "../transports/transport.ts";
import type { LiveConnection } from "./streaming-host.ts";

export interface ConversationConnectionOptions {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens the conversation and starts it. */
  readonly startSession: (
    transport: Transport,
    request: ConversationRequest,
    config: SessionConfig | undefined,
    /** To be called with the session's id before the session says its first word. */
    onOpened: (sessionId: string) => void,
  ) => Promise<LiveSession>;
  /** A conversation has left this socket, and all of it is stored. */
  readonly onLeft?: ((sessionId: string) => void) | undefined;
  /** Rejects with a `BadRequestError` when what the client names does not exist; the running conversation goes on then. */
  readonly checkStart: (request: ConversationRequest, config: SessionConfig | undefined) => Promise<void>;
  /** Nothing of the conversation is left: all is stored and released. */
  readonly onClosed: () => void;
  /** The conversation came to its end by itself: neither the peer nor this host cut it, and no newer socket took it. */
  readonly onEnded?: ((reason: string) => void) | undefined;
  /** How much longer the conversation may last; then the agent says goodbye. */
  readonly longestMs?: number | undefined;
}

/** What a client may say while its conversation is being replaced; a swap takes one or two round trips to the store. */
const maxWaitingMessages = 100;

export interface ConversationConnection extends LiveConnection {
  /** Leaves the conversation to another host as soon as nobody is in the middle of anything. */
  handOver(): void;
}

/** What the peer is told of it. */
function closeReasonOf(ended: string): CloseReason {
  if (ended === "draining") return "draining";
  return ended === brokenSession ? "internal" : "finished";
}

/** A pause between two sentences is longer. */
const quietCheckMs = 20;

export async function connectConversation(options: ConversationConnectionOptions): Promise<ConversationConnection> {
  const { transport, clock, logger } = options;
  let request = options.request;
  /** Undefined while one conversation is being replaced by the next. */
  let current: LiveSession | undefined;
  let swapping: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isDraining = false;
  const waiting: (() => void)[] = [];

  async function begin(next: ConversationRequest, config?: SessionConfig): Promise<void> {
    const started = await options.startSession(transport, next, config, (sessionId) => transport.setSession(sessionId));
    request = { ...next, sessionId: started.conversation.sessionId, startsAfresh: false };
    current = started;
    void started.ended.then((reason) => {
      if (current !== started) return undefined;
      if (closing === undefined && reason !== "replaced") options.onEnded?.(reason);
      return close(closeReasonOf(reason));
    });
  }

  function close(reason: CloseReason): Promise<void> {
    return (closing ??= shutDown(reason));
  }

  async function shutDown(reason: CloseReason): Promise<void> {
    digits.close();
    cancelEnd?.();
    waiting.length = 0;
    try {
      await swapping;
      if (current === undefined) transport.close(reason);
      else await leave(current, reason);
    } finally {
      options.onClosed();
    }
  }

  async function leave(session: LiveSession, reason?: CloseReason): Promise<void> {
    await session.close(reason);
    options.onLeft?.(session.conversation.sessionId);
  }

  function refuse(code: string, message: string): void {
    transport.notify({ type: "error", payload: { code, message } });
  }

  /** What is said while a conversation is being replaced is said to the next one. */
  function tell(action: () => void): void {
    if (closing !== undefined) return;
    if (swapping === undefined) action();
    else if (waiting.length < maxWaitingMessages) waiting.push(action);
    else refuse("rate_limited", "The conversation is being replaced; wait for its `session` message.");
  }

  /** Ends the running conversation and begins the next on the same socket; if that cannot be, the old one begins again. */
  async function swap(next: ConversationRequest, config?: SessionConfig): Promise<void> {
    try {
      await options.checkStart(next, config);
    } catch (error) {
      refuse(toVoiceError(error).code, error instanceof BadRequestError ? error.message : "The request failed.");
      return;
    }
    const previous = current;
    current = undefined;
    try {
      if (previous !== undefined) await leave(previous);
      await begin(next, config);
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "a conversation could not be replaced");
      refuse(toVoiceError(error).code, error instanceof BadRequestError ? error.message : "The request failed.");
      await begin(request);
    }
  }

  function startSwap(next: ConversationRequest, config?: SessionConfig): void {
    swapping = swap(next, config)
      .catch((error: unknown) => {
        logger.error({ error, code: toVoiceError(error).code }, "a conversation could not be started again");
        void close("internal");
      })
      .finally(() => {
        swapping = undefined;
        if (isDraining) current?.sayFarewell("draining");
        for (const action of waiting.splice(0)) tell(action);
      });
  }

  function onControl(action: ControlAction): void {
    switch (action) {
      case "start":
        return; // a conversation starts with its socket; saying so again changes nothing
      case "stop":
        void close("finished");
        return;
      case "pause":
        current?.setPaused(true);
        return;
      case "resume":
        current?.setPaused(false);
        return;
      case "reset":
        startSwap({ ...request, sessionId: undefined });
    }
  }

  function onConfig(config: SessionConfig): void {
    const changesConversation =
      config.scenario !== undefined ||
      config.agent !== undefined ||
      config.agent_overrides !== undefined ||
      config.profile_id !== undefined;
    if (!changesConversation) return;
    if (current?.hasBegun === true)
      refuse(
        "conflict",
        "Scenario, agent, overrides and profile can change only before the first turn; send control reset first.",
      );
    else
      startSwap(
        {
          ...request,
          scenario: config.scenario ?? request.scenario,
          agent: config.agent ?? (config.scenario === undefined ? request.agent : undefined),
          profileId: config.profile_id ?? request.profileId,
          startsAfresh: true,
        },
        config,
      );
  }

  const { longestMs } = options;
  const cancelEnd = longestMs === undefined ? undefined : clock.setTimer(Math.max(0, longestMs), sayTimeIsUp);

  function sayTimeIsUp(): void {
    tell(() => current?.sayFarewell(callTooLong));
  }

  const digits = createDigitCollector(clock, (collected) => tell(() => current?.onWholeTurn(collected)));
  await begin(request);
  transport.start({
    onAudio: (samples) => current?.onAudio(samples),
    onText: (text) => tell(() => current?.onWholeTurn(text)),
    onDigits(keys) {
      current?.onKeyPressed();
      digits.push(keys);
    },
    onControl: (action) => tell(() => onControl(action)),
    onConfig: (config) => tell(() => onConfig(config)),
    onCallerFinished: () => tell(() => current?.onCallerFinished()),
    onTranscript: (transcript) => tell(() => current?.onTranscript(transcript)),
    onClosed: () => void close("finished"),
  });

  function handOver(): void {
    if (closing !== undefined) return;
    if (current?.isQuiet === true) void close("draining");
    else clock.setTimer(quietCheckMs, handOver);
  }

  return {
    handOver,
    drain() {
      isDraining = true;
      current?.sayFarewell("draining");
    },
    close,
  };
}
