/** A conversation on a socket: feeds the session from the transport, and swaps it when the client asks for a fresh one. */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createDigitCollector } from "../session/digit-collector.ts";
import type { ConversationRequest } from "../session/open-conversation.ts";
import type { LiveSession } from "../session/live-session.ts";
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
  readonly onClosed: () => void;
  /** The conversation came to its end by itself; the peer, or this host, did not cut it. */
  readonly onEnded?: ((reason: string) => void) | undefined;
}

export async function connectConversation(options: ConversationConnectionOptions): Promise<LiveConnection> {
  const { transport, clock, logger } = options;
  let request = options.request;
  let session: LiveSession;
  let isClosed = false;
  /** While one session is being replaced, audio has nowhere to go. */
  let isSwapping = false;

  async function begin(next: ConversationRequest, config?: SessionConfig): Promise<LiveSession> {
    const started = await options.startSession(transport, next, config, (sessionId) => transport.setSession(sessionId));
    request = { ...next, sessionId: started.conversation.sessionId, startsAfresh: false };
    void started.ended.then((reason) => {
      if (session !== started || isSwapping) return undefined;
      if (!isClosed) options.onEnded?.(reason);
      return close("finished");
    });
    return started;
  }

  async function close(reason: CloseReason): Promise<void> {
    digits.close();
    if (!isClosed) {
      isClosed = true;
      options.onClosed();
    }
    await session.close(reason);
  }

  function refuse(code: string, message: string): void {
    transport.notify({ type: "error", payload: { code, message } });
  }

  /** Ends the running conversation and begins the next on the same socket; if that cannot be, the old one begins again. */
  async function swap(next: ConversationRequest, config?: SessionConfig): Promise<void> {
    if (isSwapping) return;
    isSwapping = true;
    await session.close();
    try {
      session = await begin(next, config);
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "a conversation could not be replaced");
      refuse(toVoiceError(error).code, error instanceof BadRequestError ? error.message : "The request failed.");
      session = await begin(request);
    } finally {
      isSwapping = false;
    }
    if (isClosed) await session.close("finished");
  }

  function startSwap(next: ConversationRequest, config?: SessionConfig): void {
    swap(next, config).catch((error: unknown) => {
      logger.error({ error, code: toVoiceError(error).code }, "a conversation could not be started again");
      void close("internal");
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
        session.setPaused(true);
        return;
      case "resume":
        session.setPaused(false);
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
    if (session.hasBegun)
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

  const digits = createDigitCollector(clock, (collected) => session.onWholeTurn(collected));
  session = await begin(request);
  transport.start({
    onAudio(samples) {
      if (!isSwapping) session.onAudio(samples);
    },
    onText: (text) => session.onWholeTurn(text),
    onDigits: (keys) => digits.push(keys),
    onControl,
    onConfig,
    onCallerFinished: () => session.onCallerFinished(),
    onTranscript: (transcript) => session.onTranscript(transcript),
    onClosed: () => void close("finished"),
  });

  return {
    drain: () => session.sayFarewell("draining"),
    close,
  };
}
