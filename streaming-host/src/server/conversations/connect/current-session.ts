/**
 * The current session of a transport. It can be replaced by another one on the same transport; the peer's messages
 * during the change go to the new one.
 */
import { BadRequestError, toVoiceError } from "@voice/shared/platform/errors";
import type { Host } from "../../../host/host.ts";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import type { LiveSession, SessionEnd } from "../../../session/modes/live-session.ts";
import type { PeerEvent } from "../../../session/modes/peer-event.ts";
import type { CloseReason } from "../../../transports/close-reasons.ts";
import type { SessionConfig, Transport } from "../../../transports/transport.ts";
import type { CheckNames } from "../../accept/requested-names.ts";
import type { SessionToOpen } from "../open/open-session.ts";

export interface SessionsOfConnection {
  readonly host: Host;
  /** Rejects if something that the client names does not exist; the running conversation then continues undisturbed. */
  readonly checkNames: CheckNames;
  claim(session: SessionToOpen): Promise<LiveSession>;
  /** A conversation has left the transport, and all of it is stored. */
  left(sessionId: string): void;
}

export interface CurrentSessionEvents {
  /** The current session has ended, and none follows it. */
  readonly onEnded: (reason: string) => void;
  /** A session was replaced, and neither the next nor the old one could be opened. */
  readonly onLost: () => void;
}

/**
 * How much a client may send while its conversation is being replaced, which takes one or two round trips to the store.
 */
export const maxWaitingMessages = 100;

export class CurrentSession {
  readonly #transport: Transport;
  readonly #sessions: SessionsOfConnection;
  readonly #events: CurrentSessionEvents;
  #request: ConversationRequest;
  #config: SessionConfig | undefined;
  /** Undefined while one session is being replaced by the next. */
  #session: LiveSession | undefined;
  #replacing: Promise<void> | undefined;
  /** The peer's messages that arrive while a session is being replaced. */
  readonly #waiting: (() => void)[] = [];
  #farewellReason: string | undefined;
  #isClosed = false;

  constructor(
    transport: Transport,
    request: ConversationRequest,
    sessions: SessionsOfConnection,
    events: CurrentSessionEvents,
  ) {
    this.#transport = transport;
    this.#request = request;
    this.#sessions = sessions;
    this.#events = events;
  }

  /** The latest request, with the id of the session that it became. */
  get request(): ConversationRequest {
    return this.#request;
  }

  /** What the client has configured since it connected. */
  get config(): SessionConfig | undefined {
    return this.#config;
  }

  get conversation(): LiveSession["conversation"] | undefined {
    return this.#session?.conversation;
  }

  get status(): LiveSession["status"] | undefined {
    return this.#session?.status;
  }

  async claim(request = this.#request, config = this.#config): Promise<void> {
    const transport = this.#transport;
    const onOpened = (sessionId: string): void => transport.setSession(sessionId);
    const session = await this.#sessions.claim({ transport, request, config, onOpened });
    this.#request = { ...request, sessionId: session.conversation.sessionId, startsAfresh: false };
    this.#config = config;
    this.#session = session;
    void session.ended.then((reason) => (this.#session === session ? this.#events.onEnded(reason) : undefined));
  }

  /** Audio cannot wait, so audio that arrives while a session is being replaced is dropped. */
  onAudio(samples: Int16Array): void {
    this.#session?.onAudio(samples);
  }

  handle(event: PeerEvent): void {
    this.whenReady(() => this.#session?.handle(event));
  }

  /** While a session is being replaced the event is dropped, because it would mean nothing to the next one. */
  handleNow(event: PeerEvent): void {
    this.#session?.handle(event);
  }

  /** Also passed on to the session that follows. */
  sayFarewell(reason: string): void {
    this.#farewellReason = reason;
    this.handleNow({ type: "farewell-requested", reason });
  }

  /** Runs now, or once the next session is open. */
  whenReady(action: () => void): void {
    if (this.#isClosed) return;
    if (this.#replacing === undefined) action();
    else if (this.#waiting.length < maxWaitingMessages) this.#waiting.push(action);
    else this.refuse("rate_limited", "The conversation is being replaced; wait for its `session` message.");
  }

  refuse(code: string, message: string): void {
    this.#transport.notify({ type: "error", payload: { code, message } });
  }

  /**
   * `permit` rejects if the change is not allowed; the running conversation then continues. It resolves with the request as it
   * is carried out, which may keep what the client has not named.
   */
  replace(next: ConversationRequest, config?: SessionConfig, permit?: () => Promise<ConversationRequest>): void {
    const { logger } = this.#sessions.host;
    this.#replacing = this.#replace(next, config, permit)
      .catch((error: unknown) => {
        logger.error(
          { error, code: toVoiceError(error).code },
          "neither the next conversation nor the old one could be opened",
        );
        this.#events.onLost();
      })
      .finally(() => {
        this.#replacing = undefined;
        if (this.#farewellReason !== undefined) this.sayFarewell(this.#farewellReason);
        for (const action of this.#waiting.splice(0)) this.whenReady(action);
      });
  }

  /** Resolves when everything of the session is stored and released, and the transport is closed. */
  async close(reason: CloseReason): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    await this.#replacing;
    if (this.#session === undefined) this.#transport.close(reason);
    else await this.#leave(this.#session, reason);
  }

  /** Ends the running session and opens the next; if that fails, reopens the old one. */
  async #replace(
    next: ConversationRequest,
    config?: SessionConfig,
    permit = async (): Promise<ConversationRequest> => next,
  ): Promise<void> {
    let permitted: ConversationRequest;
    try {
      permitted = await permit();
      await this.#sessions.checkNames(next, config);
    } catch (error) {
      this.#reportRefusal(error);
      return;
    }
    const previous = this.#session;
    this.#session = undefined;
    try {
      // A configuration continues the session, about which those who watch it need not be told.
      const continues = next.sessionId === this.#request.sessionId;
      if (previous !== undefined) await this.#leave(previous, continues ? undefined : "reset");
      await this.claim(permitted, config);
    } catch (error) {
      this.#sessions.host.logger.warn(
        { error, code: toVoiceError(error).code },
        "a conversation could not be replaced",
      );
      this.#reportRefusal(error);
      await this.claim();
    }
  }

  #reportRefusal(error: unknown): void {
    this.refuse(toVoiceError(error).code, error instanceof BadRequestError ? error.message : "The request failed.");
  }

  async #leave(session: LiveSession, reason?: SessionEnd): Promise<void> {
    await session.close(reason);
    this.#sessions.left(session.conversation.sessionId);
  }
}
