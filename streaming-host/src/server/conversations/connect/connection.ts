/** Runs a conversation on a transport: passes the peer's events to the session until one of them ends it. */
import type { CancelTimer } from "@voice/shared/platform/clock";
import { createUuid } from "@voice/shared/platform/ids";
import { copyDefinitions } from "@voice/shared/state/copy-definitions";
import type { SharedQuota } from "@voice/shared/state/shared-quota";
import type { Host } from "../../../host/host.ts";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import { brokenSession, lossReasons } from "../../../session/modes/live-session.ts";
import { callTooLong } from "../../../session/turn/turn-effects.ts";
import { isLoss } from "../../../transports/close-reasons.ts";
import type { CloseReason } from "../../../transports/close-reasons.ts";
import type { ControlAction, SessionConfig, Transport, TransportEvents } from "../../../transports/transport.ts";
import type { LiveConnection } from "../../accept/live-connections.ts";
import { configAfter, requestAfter, requestAfterReset } from "./config-change.ts";
import { CurrentSession } from "./current-session.ts";
import type { SessionsOfConnection } from "./current-session.ts";
import { createDigitCollector } from "./digit-collector.ts";
import type { DigitCollector } from "./digit-collector.ts";
import { hearInPieces, mostWaitingSeconds } from "./hear-in-pieces.ts";
import { limitInput } from "./limit-input.ts";

/** What a channel derives from a socket: the transport, the request, and the conversation's life cycle. */
export interface ConversationOnTransport {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  readonly life: ConversationLife;
}

/** A conversation's limits, and callbacks for its end. */
export interface ConversationLife {
  /** After this time the agent says goodbye. If absent, there is no limit. */
  readonly longestMs?: number | undefined;
  /** What happens when the host drains; if absent, the agent says goodbye. */
  readonly whenDraining?: "say-goodbye" | "move-to-another-host" | undefined;
  /** The first conversation is open, and the peer's messages are delivered from now on. */
  readonly onConnected?: (() => void) | undefined;
  /** The conversation ended by itself: neither the peer nor this host closed it, and no newer socket took it over. */
  readonly onEnded?: ((reason: string) => void) | undefined;
  /** The conversation has ended completely: everything is stored and released. */
  readonly onClosed: () => void;
}

/** The conversations of this host, as one connection sees them. */
export interface ConversationsOfConnection extends SessionsOfConnection {
  readonly host: Host;
  readonly resets: Pick<SharedQuota, "require">;
  /** Whom the session is bound to by now, by its client or over HTTP; undefined if there is no such customer any more. */
  boundCustomer(
    sessionId: string,
    request: Pick<ConversationRequest, "phoneNumber" | "owner" | "profileId">,
  ): Promise<string | undefined>;
}

/** A client knows its scenario, agent and profile when it connects, or after somebody has tried a few. */
export const maxConfigChanges = 30;
const tooMuchAudio = `Too much audio: more than ${mostWaitingSeconds} s of it wait to be heard. Send it no faster than it is spoken.`;
/** Longer than a pause between two sentences. */
const quietCheckMs = 20;

export async function connectConversation(
  conversation: ConversationOnTransport,
  conversations: ConversationsOfConnection,
): Promise<LiveConnection> {
  const connection = new ConversationConnection(conversation, conversations);
  await connection.connect();
  return connection;
}

class ConversationConnection implements LiveConnection {
  readonly #transport: Transport;
  readonly #life: ConversationLife;
  readonly #conversations: ConversationsOfConnection;
  readonly #current: CurrentSession;
  readonly #digits: DigitCollector;
  /** The key under which its resets are counted. */
  readonly #client: string;
  #cancelTimeLimit: CancelTimer | undefined;
  #configChanges = 0;
  #closing: Promise<void> | undefined;

  constructor({ transport, request, life }: ConversationOnTransport, conversations: ConversationsOfConnection) {
    this.#transport = transport;
    this.#life = life;
    this.#conversations = conversations;
    this.#client = request.client ?? createUuid();
    this.#current = new CurrentSession(transport, request, conversations, {
      onEnded: (reason) => this.#sessionEnded(reason),
      onLost: () => void this.close("internal"),
    });
    this.#digits = createDigitCollector(conversations.host.clock, (text) =>
      this.#current.handle({ type: "whole-turn", text, keyed: true }),
    );
  }

  async connect(): Promise<void> {
    await this.#current.claim();
    this.#limitTime();
    this.#life.onConnected?.();
    const current = this.#current;
    const transport = this.#transport;
    const { clock } = this.#conversations.host;
    const events: TransportEvents = {
      onAudio: (samples) => current.onAudio(samples),
      onText: (text) => current.handle({ type: "whole-turn", text }),
      onDigits: (keys) => this.#onDigits(keys),
      onControl: (action) => current.whenReady(() => this.#onControl(action)),
      onConfig: (config) => current.whenReady(() => this.#onConfig(config)),
      onCallerFinished: () => current.handle({ type: "caller-finished" }),
      onLanguage: (language) => current.handle({ type: "language-changed", language }),
      onTranscript: (transcript) => current.handle({ type: "transcript", transcript }),
      onClosed: (report) => this.#onClosed(report),
    };
    const onTooMuch = (): void => {
      current.refuse("rate_limited", tooMuchAudio);
      transport.close("tooFrequent");
    };
    const heard = limitInput(events, {
      now: () => clock.now(),
      refuse: (problem) => current.refuse("rate_limited", problem),
    });
    transport.start(hearInPieces(heard, { sampleRateHz: transport.sampleRateHz, onTooMuch }));
  }

  drain(): void {
    if (this.#life.whenDraining === "move-to-another-host") this.#leaveWhenQuiet();
    else this.#current.sayFarewell("draining");
  }

  close(reason: CloseReason): Promise<void> {
    return (this.#closing ??= this.#close(reason));
  }

  async #close(reason: CloseReason): Promise<void> {
    this.#digits.close();
    this.#cancelTimeLimit?.();
    try {
      await this.#current.close(reason);
    } finally {
      this.#life.onClosed();
    }
  }

  #onClosed(report: string): void {
    const { logger } = this.#conversations.host;
    const { sessionId, callId } = this.#current.request;
    if (this.#closing === undefined) logger.info({ sessionId, callId, report }, "the socket of a session closed");
    void this.close(this.#isCallerLost(report) ? "lost" : "finished");
  }

  /** A browser that leaves often just breaks the connection, while the service of a phone call closes it. */
  #isCallerLost(report: string): boolean {
    return this.#transport.channel === "phone" && isLoss(report);
  }

  #sessionEnded(reason: string): void {
    if (this.#closing === undefined && reason !== "replaced") this.#life.onEnded?.(reason);
    void this.close(closeReasonOf(reason));
  }

  #limitTime(): void {
    const { longestMs } = this.#life;
    if (longestMs === undefined || this.#closing !== undefined) return;
    const sayGoodbye = (): void => this.#current.handle({ type: "farewell-requested", reason: callTooLong });
    this.#cancelTimeLimit = this.#conversations.host.clock.setTimer(Math.max(0, longestMs), sayGoodbye);
  }

  #leaveWhenQuiet(): void {
    if (this.#closing !== undefined) return;
    if (this.#current.status?.isQuiet === true && !this.#digits.isCollecting) void this.close("draining");
    else this.#conversations.host.clock.setTimer(quietCheckMs, () => this.#leaveWhenQuiet());
  }

  #onDigits(keys: string): void {
    this.#current.handleNow({ type: "key-pressed" });
    this.#digits.push(keys);
  }

  #onControl(action: ControlAction): void {
    const current = this.#current;
    switch (action) {
      case "stop":
        void this.close("finished");
        return;
      case "pause":
        current.handleNow({ type: "paused", isPaused: true });
        return;
      case "start": // a conversation starts with its socket: where it is not paused, this changes nothing
      case "resume":
        current.handleNow({ type: "paused", isPaused: false });
        return;
      case "reset":
        this.#reset();
    }
  }

  #reset(): void {
    const current = this.#current;
    const { conversation, config } = current;
    if (conversation === undefined) return;
    const { record, catalog } = conversation;
    const next = requestAfterReset(current.request, record, (agent) => catalog.agent(agent) !== undefined);
    // Named in the config, the scenario is preferred to a newer one of the session's own, in which it was not.
    const kept = configAfter({ type: "config", scenario: record.scenario }, config);
    // A customer whom the client has named was found then, and may be gone now.
    current.replace({ ...next, profileId: undefined }, kept, async () => {
      const { host, resets } = this.#conversations;
      await resets.require(this.#client);
      // What was made for one session is made for the next.
      await copyDefinitions(host.state, record.sessionId, next);
      return { ...next, profileId: await this.#conversations.boundCustomer(record.sessionId, next) };
    });
  }

  #onConfig(config: SessionConfig): void {
    const current = this.#current;
    const next = requestAfter(config, current.request);
    if (next === undefined) return;
    if (current.status?.hasBegun === true) {
      current.refuse("conflict", "Only the audio format can change after the first turn; send control reset first.");
    } else if (this.#configChanges >= maxConfigChanges)
      // Each one writes to the store, and begins a recording.
      current.refuse(
        "rate_limited",
        `The configuration was changed ${maxConfigChanges} times on this connection; connect again to change it.`,
      );
    else {
      this.#configChanges += 1;
      current.replace(next, configAfter(config, current.config));
    }
  }
}

/** The message to the peer when a session ends by itself. */
function closeReasonOf(ended: string): CloseReason {
  if (ended === "draining") return "draining";
  if (lossReasons.has(ended)) return "failed";
  return ended === brokenSession ? "internal" : "finished";
}
